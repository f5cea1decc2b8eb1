import { expect, test } from 'vitest';
import { findProblem } from './file-check.ts';

const most = 5_242_880;
const sized = (bytes: number): Uint8Array<ArrayBuffer> => {
  const content = new Uint8Array(bytes);
  content.set(new TextEncoder().encode('%PDF-1.7'));
  return content;
};
const file = (content: BlobPart, name = 'umowa.pdf', type = 'application/pdf'): File => new File([content], name, { type });

test.each([
  ['a PDF', file('%PDF-1.7'), undefined],
  ['a PDF with something before its mark', file(`${'\n'.repeat(500)}%PDF-1.4`), undefined],
  ['a PDF of a system that does not know types', file('%PDF-1.7', 'UMOWA.PDF', ''), undefined],
  ['the largest PDF', file(sized(most)), undefined],
  ['one byte more', file(sized(most + 1)), 'size'],
  ['a text', file('hello', 'umowa.txt', 'text/plain'), 'type'],
  ['a picture that was renamed', file('\u0089PNG', 'skan.pdf'), 'type'],
  ['a PDF under another type', file('%PDF-1.7', 'umowa.pdf', 'text/html'), 'type'],
  ['an empty file', file(''), 'type'],
  ['a large file of another type', file(sized(most + 1), 'film.mp4', 'video/mp4'), 'type'],
])('%s', async (_, chosen, problem) => {
  expect(await findProblem(chosen)).toBe(problem);
});
