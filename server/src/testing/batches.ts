import type { Batch, Publication } from '@pergamin/contract';
import { expect } from 'vitest';
import { aPdf } from './pdfs.ts';
import type { TestAnswer, TestCaller, TestPortal } from './test-portal.ts';

export interface SentDocument extends Partial<Publication> {
  /** Left out: one with its unique name on its page. */
  readonly pdf?: Uint8Array;
}

/** The body of a part of a batch. */
const partOf = (documents: readonly SentDocument[]): FormData => {
  const form = new FormData();
  for (const { pdf, ...given } of documents) {
    const description = { type: 'PRIVATE', fileName: 'Wyciąg.pdf', metadata: {}, ...given };
    form.append('description', JSON.stringify(description));
    const bytes = pdf ?? aPdf({ text: given.uniqueName ?? 'a page' });
    form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }), 'document.pdf');
  }
  return form;
};

export const sendPart = (publisher: TestCaller, id: string, documents: readonly SentDocument[]): Promise<TestAnswer<'addToBatch'>> =>
  publisher.call('addToBatch', { params: { id }, form: partOf(documents) });

/** Opens a batch with these documents; gives its id. */
export const sendBatch = async (publisher: TestCaller, name: string, documents: readonly SentDocument[]): Promise<string> => {
  const { id } = (await publisher.call('openBatch', { body: { name } })).body;
  const sent = await sendPart(publisher, id, documents);
  if (sent.body.refused.length > 0) throw new Error(JSON.stringify(sent.body.refused));
  return id;
};

/** The worker releases a batch, or removes it, in its own time. */
export const untilState = async (
  portal: Pick<TestPortal, 'publisher'>,
  id: string,
  wanted: Pick<Batch, 'state'> & Partial<Batch>,
): Promise<void> => {
  await expect
    .poll(async () => (await portal.publisher.call('getBatch', { params: { id } })).body, { timeout: 20_000 })
    .toEqual(expect.objectContaining(wanted));
};
