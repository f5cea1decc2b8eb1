import { calls, type PublishedDocument } from '@pergamin/contract';
import { descriptionOf, eachOf, type HashedLine, presentLine, refusalOf, type Sending, type SendingParts } from './manifest-run.ts';
import { patiently } from './patience.ts';

/** One call for each document, which is visible at once. */
export const createSingleSending = async ({ files, connection, atOnce, onOutcome, signal }: SendingParts): Promise<Sending> => {
  const sendOne = async ({ line, record }: HashedLine): Promise<void> => {
    try {
      await using file = await files.open(record.file);
      const form = new FormData();
      form.set('description', JSON.stringify(descriptionOf(record)));
      form.set('file', file.blob, record.fileName);
      const document: PublishedDocument = await patiently(() => connection.call(calls.publishDocument, { form }), signal);
      const { id, flags, repeated } = document;
      onOutcome(repeated ? presentLine(line, document) : { line, kind: 'published', id, flags });
    } catch (error) {
      onOutcome(refusalOf(line, error));
    }
  };
  return {
    find: () => undefined,
    send: (lines) =>
      eachOf(lines, atOnce, async (line) => {
        signal?.throwIfAborted();
        await sendOne(line);
      }),
  };
};
