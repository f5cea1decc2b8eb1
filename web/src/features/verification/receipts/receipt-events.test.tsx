import type { HistoryEntry } from '@pergamin/contract';
import type { StatementEvent } from '@pergamin/ledger';
import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { show } from '#kit/render.fixture.tsx';
import { answerFetch, type Answers, freshTab, refusal } from '#platform/page.fixture.tsx';
import { Verification } from '#features/verification/Verification.tsx';
import { fileContent, fileSum } from './receipt.fixture.ts';
import { documentId, signedReceipt } from './signed-receipt.fixture.ts';

interface Handed {
  readonly receipt: string;
  readonly keys?: string;
}

const verify = async ({ receipt, keys }: Handed, isSignedIn = false): Promise<void> => {
  await freshTab('EN');
  if (isSignedIn) sessionStorage.setItem('authorization', 'a token');
  show(
    <>
      <main>
        <Verification intro={null} heading="h2" onOpen={() => undefined} />
      </main>
      <Announcer />
    </>,
  );
  await userEvent.click(page.getByRole('tab', { name: 'Receipt' }));
  await expect.element(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('there is no field for files');
  const files = [new File([fileContent], 'Agreement.pdf'), new File([receipt], 'Agreement.pdf.tlog-proof')];
  await userEvent.upload(input, keys === undefined ? files : [...files, new File([keys], 'keys.txt')]);
};

const verdict = () => page.getByRole('region', { name: 'Result of the verification' });
const toneOf = () => document.querySelector('[data-state=answered] > header')?.getAttribute('data-tone');
const printButton = () => page.getByRole('button', { name: 'Print a certificate' });

/** The sheet as it is when it is handed to the printer. */
const print = async (): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>();
  vi.stubGlobal('print', () => resolve(document.querySelector('body > article')?.textContent ?? ''));
  await userEvent.click(printButton());
  const sheet = await promise;
  dispatchEvent(new Event('afterprint'));
  return sheet;
};

const published = 'The receipt proves that this file was published';

describe('an authentic receipt looks like its own event', () => {
  test.each([
    ['PUBLISHED', 'ok', 'Authentic', published, /^.*Certificate of publication/],
    ['STATE_CHANGED', 'neutral', 'Not a publication', 'The receipt is about a change of state, not a publication', undefined],
    ['NOTIFIED', 'neutral', 'Not a publication', 'The receipt is about a notice, not a publication', undefined],
    ['RECEIVED', 'note', 'From a customer', 'Sent to the organisation. Not a document of the organisation', /Certificate of what was sent/],
    ['RETENTION_EXTENDED', 'neutral', 'Not a publication', 'The receipt is about the retention, not a publication', undefined],
    ['FORGOTTEN', 'neutral', 'Not a publication', 'The receipt is about a forgotten document, not a publication', undefined],
  ] as const)('%s: tone, word, title, certificate, and what is said aloud', async (event, tone, word, title, certificate) => {
    answerFetch({ 'GET /api/ready': { status: 'ok', lock: 'compliance' } });
    await verify(await signedReceipt({ event }));
    await expect.element(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
    await expect.element(verdict().getByText(word, { exact: true })).toBeVisible();
    expect(toneOf()).toBe(tone);
    const role = event === 'PUBLISHED' ? 'status' : 'alert';
    await expect.element(page.getByRole(role).filter({ hasText: `Agreement.pdf: ${title}` })).toBeInTheDocument();
    if (event !== 'PUBLISHED') {
      expect(verdict().element().textContent).not.toContain('Authentic');
      expect(verdict().element().textContent).not.toContain(published);
      expect(page.getByRole('button', { name: /Ask the portal/ }).elements()).toEqual([]);
    }
    if (certificate === undefined) expect(printButton().elements()).toEqual([]);
    else expect(await print()).toMatch(certificate);
  });

  test('what a customer sent names the customer, on the page and on its certificate, and nothing says that it was published', async () => {
    answerFetch({ 'GET /api/ready': { status: 'ok', lock: 'compliance' } });
    await verify(await signedReceipt({ event: 'RECEIVED' }));
    await expect
      .element(verdict().getByText(/Sent by: customer no\. 7001\..*does not prove that the organisation issued it/))
      .toBeVisible();
    const sheet = await print();
    expect(sheet).toMatch(/Sent bycustomer no\. 7001/);
    expect(sheet).toContain('It is not a document of the organisation.');
    expect(sheet).not.toMatch(/publish|publication|deliver|Storage/i);
  });

  test.each(['CANCELLED', 'OBSOLETE', 'DELETED'] as const)('a publication that was entered as %s says so everywhere', async (state) => {
    answerFetch({});
    await verify(await signedReceipt({ state }));
    const word = { CANCELLED: 'Cancelled', OBSOLETE: 'Obsolete', DELETED: 'Deleted' }[state];
    await expect.element(verdict().getByText('Authentic, not active')).toBeVisible();
    expect(toneOf()).toBe('warn');
    await expect
      .element(page.getByRole('list', { name: 'What this does not prove' }).getByText(new RegExp(`Its state: ${word}\\.`)))
      .toBeVisible();
    expect(await print()).toContain(`State in this entry${word}`);
  });
});

describe('whether a publication still holds', () => {
  const path = 'POST /api/open/documents/check/hash';
  const row = {
    id: documentId,
    state: 'ACTIVE',
    metadata: { FILE_NAME: 'Agreement.pdf', TYPE: 'PRIVATE', PUBLICATION_DATE: 1_761_814_867_000, CHECKSUM_SHA256: fileSum },
    corrupted: false,
    deleted: false,
    published: true,
    read: null,
    downloaded: null,
  };
  const finding = { status: 'SHA_CIF_OK', checkedAt: 1, compared: null, document: row, storedSha256: null, ledger: null };
  const nothing = { ...finding, status: 'DOCUMENT_NOT_EXIST', document: null };

  test.each([
    ['active', finding, false, /has this document, unchanged\. It is active/],
    ['cancelled since', { ...finding, document: { ...row, state: 'CANCELLED' } }, true, /no longer active\. Its state: Cancelled/],
    [
      'published anew under another id',
      { ...finding, document: { ...row, id: crypto.randomUUID() } },
      true,
      /says nothing of the document/,
    ],
    ['unknown to a client', nothing, true, /names no such document/],
    ['unknown without a session', nothing, false, /Sign in to ask/],
    ['damaged', { ...finding, status: 'SHA_NOT_EQUAL' }, true, /checksum does not match/],
    ['asked too often', refusal(429, 'CALL_NOT_PERMITTED', { headers: { 'retry-after': '30' } }), false, /did not answer/],
  ] as const)('is what the portal says: %s', async (_, answer, isSignedIn, sentence) => {
    const asked = answerFetch({ [path]: answer });
    await verify(await signedReceipt(), isSignedIn);
    await expect.element(page.getByRole('heading', { name: published })).toBeVisible();
    expect(asked).toEqual([]);
    await userEvent.click(page.getByRole('button', { name: 'Ask the portal whether it still holds' }));
    await expect.element(verdict().getByText(sentence)).toBeVisible();
    expect([...document.querySelectorAll('[role=status], [role=alert]')].map((region) => region.textContent).join(' ')).toMatch(sentence);
    expect(await Promise.all(asked.map(({ request }) => request.json()))).toEqual([{ sha256: fileSum }]);
  });
});

describe('a certificate', () => {
  const historyPath = `GET /api/protected/documents/history/${documentId}`;
  const line = (event: HistoryEntry['event'], index: number | null): HistoryEntry => ({
    event,
    at: Date.UTC(2026, 10, 24, 8),
    before: null,
    after: null,
    entry: index === null ? null : { index },
  });
  const certificateOf = async (answers: Answers, event: StatementEvent = 'PUBLISHED', isSignedIn = false): Promise<string> => {
    const signed = await signedReceipt({ event });
    answerFetch({ 'GET /api/open/ledger': registerOf(signed), ...answers });
    await verify(signed, isSignedIn);
    return print();
  };
  const registerOf = ({ verifierKey, keys }: Awaited<ReturnType<typeof signedReceipt>>) => ({
    origin: 'portal.example/log',
    verifierKey,
    size: 1,
    root: '',
    checkpoint: '',
    at: 1,
    policy: keys,
    witnesses: [],
    isWatched: false,
    isHalted: false,
    timestamp: null,
  });

  test('of a publication has lines of their own for notice, opening and reading, each with what it rests on', async () => {
    const items = [line('PUBLISHED', 0), line('NOTIFIED', 4), line('OPENED', null)];
    const sheet = await certificateOf({ [historyPath]: { items } }, 'PUBLISHED', true);
    expect(sheet).toMatch(/Notice2026-11-24, 09:00:00, as the portal says: entry 5 of the register/);
    expect(sheet).toMatch(/Opened2026-11-24, 09:00:00, as the portal says: only its own record, no entry of the register/);
    expect(sheet).toMatch(/Read to the endnot shown by this receipt/);
  });

  test('of somebody without a session says of none of them that it happened', async () => {
    const sheet = await certificateOf({});
    expect(sheet.match(/not shown by this receipt/g)).toHaveLength(3);
  });

  test('calls the file what the verifier calls it, and the document by its id', async () => {
    const sheet = await certificateOf({});
    expect(sheet).toMatch(/File, as the verifier calls itAgreement\.pdf, 6\sB/);
    expect(sheet).toContain(`Document${documentId}`);
  });

  const until = Date.UTC(2031, 11, 31, 23);

  test.each([
    ['a lock that nobody ends', { mode: 'compliance', until }, /Locked until 2032-01-01.*nobody can remove/],
    ['a lock that a special right ends', { mode: 'governance', until }, /Locked until 2032-01-01.*only a special right/],
    ['no lock', null, /Not locked when this was printed/],
  ])('of the register of this portal says of the storage of this document: %s', async (_, lock, words) => {
    expect(await certificateOf({ [`GET /api/open/documents/lock/${documentId}`]: { lock, askedAt: until } })).toMatch(words);
  });

  test('says that the storage is not known when nothing is answered of this document, whatever is said of the storage as a whole', async () => {
    const sheet = await certificateOf({ 'GET /api/ready': { status: 'ok', lock: 'compliance' } });
    expect(sheet).toContain('Not known: the storage was not asked about this file');
    expect(sheet).not.toContain('Locked');
  });

  test('of keys that are not this portal’s bears the name of their register, and not of this organisation', async () => {
    const other = await signedReceipt({}, 'portal.example/log');
    const signed = await signedReceipt({}, 'elsewhere.example/log');
    answerFetch({ 'GET /api/ready': { status: 'ok', lock: 'compliance' }, 'GET /api/open/ledger': registerOf(other) });
    await verify(signed);
    const sheet = await print();
    expect(sheet).toMatch(/^elsewhere\.example\/logRegister named by a file with keys/);
    expect(sheet).not.toContain('Storage');
  });
});
