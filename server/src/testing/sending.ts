import type { CategoryRecord, UploadDescription } from '@pergamin/contract';
import type { TestAnswer, TestCaller } from './test-portal.ts';

const named = (pl: string, en: string) => ({ pl, en });

export const testCategories: CategoryRecord[] = [
  {
    id: 'COMPLAINTS',
    name: named('Reklamacje', 'Complaints'),
    retentionDays: 365,
    types: [
      { id: 'COMPLAINT', name: named('Reklamacja', 'Complaint') },
      { id: 'APPEAL', name: named('Odwołanie', 'Appeal') },
    ],
  },
  {
    id: 'LOANS',
    name: named('Kredyty', 'Loans'),
    types: [{ id: 'INCOME', name: named('Zaświadczenie o dochodach', 'Certificate of income') }],
  },
];

export const keepCategories = async (publisher: TestCaller, items: CategoryRecord[] = testCategories): Promise<void> => {
  const { error } = await publisher.call('upsertCategories', { body: { items } });
  if (error !== undefined) throw new Error(JSON.stringify(error));
};

interface Sent extends Partial<UploadDescription> {
  readonly pdf: Uint8Array;
  readonly key?: string;
  /** As the browser names the part. */
  readonly partName?: string;
}

/** One file, as the wizard sends it. */
export const upload = (
  client: TestCaller,
  { pdf, key, partName = 'document.pdf', ...description }: Sent,
): Promise<TestAnswer<'uploadDocument'>> => {
  const form = new FormData();
  form.set('description', JSON.stringify({ filename: 'Reklamacja.pdf', categoryId: 'COMPLAINTS', typeId: 'COMPLAINT', ...description }));
  form.set('file', new Blob([Uint8Array.from(pdf)], { type: 'application/pdf' }), partName);
  return client.call('uploadDocument', { form }, key === undefined ? {} : { 'idempotency-key': key });
};
