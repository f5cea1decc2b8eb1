import { expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createSentMarks } from './sent-marks.ts';

const inFlightBytes = 256 * 1_024;

const recorded = () => {
  const marked: string[] = [];
  const marks = createSentMarks(async (ids) => void marked.push(...ids), silentLog());
  return { marks, marked };
};

test('a document whose last bytes may still be on their way is not marked when the reader leaves', async () => {
  const { marks, marked } = recorded();
  await marks.taken(1_000_000);
  marks.ended('given-out');
  await marks.taken(inFlightBytes - 1);
  await marks.close();
  expect(marked).toEqual([]);
});

test('a document that lies as far back as the streams can hold is marked when the reader leaves, the next one is not', async () => {
  const { marks, marked } = recorded();
  marks.ended('first');
  await marks.taken(100);
  marks.ended('second');
  await marks.taken(inFlightBytes - 100);
  await marks.close();
  expect(marked).toEqual(['first']);
});

test('documents are marked fifty at a time while the archive is read, in the order in which they went out', async () => {
  const { marks, marked } = recorded();
  const ids = Array.from({ length: 50 }, (_, index) => `document ${index}`);
  for (const id of ids.slice(0, 49)) marks.ended(id);
  await marks.taken(inFlightBytes);
  expect(marked).toEqual([]);
  marks.ended('document 49');
  await marks.taken(inFlightBytes);
  expect(marked).toEqual(ids);
});

test('all documents are marked when the reader has everything but the very end', async () => {
  const { marks, marked } = recorded();
  marks.ended('only');
  await marks.takenAll();
  await marks.close();
  expect(marked).toEqual(['only']);
});
