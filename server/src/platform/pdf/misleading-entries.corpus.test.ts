import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { type TableRow, withUpdate } from '#testing/packed-pdf.ts';
import { pdfCorpus } from '#testing/pdf-corpus.ts';
import { showOrRefuse, showPage, type ShownPage } from '#testing/shown-page.ts';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { readCrossReferences } from './cross-references.ts';
import type { PdfPool } from './pdf-pool.ts';

/** Of several writers: with tables, with streams for them, with both (hybrid), in one version and in several. */
const names = [
  'annotation-tx.pdf',
  'bug1871353.pdf',
  'doc_2_3_pages.pdf',
  'french_diacritics.pdf',
  'hello_world_rotated.pdf',
  'inks_basic.pdf',
  'issue10301.pdf',
  'issue11656.pdf',
  'red_stamp.pdf',
  'three_pages_with_number.pdf',
];
const files = pdfCorpus.filter(({ name }) => names.includes(name));

if (isNightly && files.length === 0) process.stdout.write('skipped: there is no ../shared/corpus/pdf\n');

describe.skipIf(!isNightly || files.length === 0)('by night: each entry of ten files of a corpus is made to lead elsewhere', () => {
  let from: { folder: string; pool: PdfPool };
  beforeAll(async () => {
    from = { folder: await mkdtemp(join(tmpdir(), 'misleading-corpus-')), pool: testPdfPool() };
  });
  afterAll(() => rm(from.folder, { recursive: true }));

  test('all of them are there', () => {
    expect(files.map(({ name }) => name)).toEqual(names);
  });

  test.each(files)('$name looks as before, or its publisher is told', { timeout: 1_200_000 }, async ({ read }) => {
    const sound = read();
    const right = await showPage(from, sound);
    const silent: string[] = [];
    for (const [number, places] of rowsOf(sound))
      for (const [place, row] of places) {
        const damaged = withUpdate(sound, new Map(), { damage: (rows) => rows.set(number, row) });
        if (!isTold(await showOrRefuse(from, damaged), right)) silent.push(`${number} to ${place}`);
      }
    expect(silent).toEqual([]);
  });
});

const isTold = (outcome: ShownPage | string, right: ShownPage): boolean =>
  typeof outcome === 'string' || outcome.flags.includes('REPAIRED') || (outcome.picture === right.picture && outcome.text === right.text);

/** Of each object, what its entry is made to say. */
const rowsOf = (file: Uint8Array): Map<number, [string, TableRow][]> => {
  const references = readCrossReferences(Buffer.from(file));
  const places = new Map<number, [string, TableRow][]>();
  for (const [number, at] of references?.positions ?? []) {
    const other = [...(references?.positions.values() ?? [])].find((position) => position !== at) ?? 0;
    const moves = { 'six bytes before': at - 6, 'three bytes behind': at + 3, 'the beginning': 0, 'another object': other };
    places.set(
      number,
      Object.entries(moves).map(([place, position]) => [place, { at: position }]),
    );
  }
  for (const [number, { stream, index }] of references?.packed ?? [])
    places.set(number, [
      ['the next place', { stream, index: index + 1 }],
      ['another stream', { stream: stream + 1, index }],
      ['the beginning', { at: 0 }],
    ]);
  if (places.size === 0) throw new Error('the table of the file cannot be read');
  return places;
};
