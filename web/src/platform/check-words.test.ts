import { expect, test } from 'vitest';
import { CallError } from './api.ts';
import { type CheckDetail, isEntryRefused, sentencesOfCheck, unprovedEntry } from './check-words.ts';
import { freshTab } from './page.fixture.tsx';

const sound: CheckDetail = { entry: 'PROVED', differences: [], notCompared: [] };

test.each([
  ['PL', 'Niezgodne z rejestrem: data publikacji, okres przechowywania. Wiemy już o tym.'],
  ['EN', 'Not as in the register: the publication date, the retention period. We have been notified.'],
] as const)('what differs from the register is named, in %s', async (language, sentence) => {
  await freshTab(language);
  const said = sentencesOfCheck({ ...sound, differences: ['TIME', 'RETENTION'] });
  expect(said.map((text) => text.replaceAll('\u00A0', ' '))).toEqual([sentence]);
});

test('nothing is added to a check that compared all and found it right', () => {
  expect([sentencesOfCheck(sound), unprovedEntry(sound)]).toEqual([[], undefined]);
});

test('what was not compared is said, and once: a document without an entry says so itself', async () => {
  await freshTab('EN');
  expect(sentencesOfCheck({ ...sound, notCompared: ['RETENTION'] })).toEqual(['Not compared with the register: the retention period.']);
  for (const entry of ['MISSING', 'WAITING'] as const) {
    const said = sentencesOfCheck({ entry, differences: [], notCompared: ['TIME', 'METADATA'] });
    expect([said.length, said[0]?.includes('Only the file and its owner were compared')]).toEqual([1, true]);
  }
});

test('a process of the version before says nothing of entry and differences, and nothing is added', () => {
  expect([sentencesOfCheck({}), unprovedEntry({})]).toEqual([[], undefined]);
});

test('a refusal about the entry is no document that does not exist', () => {
  const refused = (status: number, code: 'NOT_FOUND_BC' | 'BC_ERROR' | 'DOCUMENT_NOT_FOUND_ERROR'): CallError =>
    new CallError('refused', { status, code, rawCode: code, hadToken: false });
  expect([refused(404, 'NOT_FOUND_BC'), refused(503, 'BC_ERROR'), refused(404, 'DOCUMENT_NOT_FOUND_ERROR')].map(isEntryRefused)).toEqual([
    true,
    true,
    false,
  ]);
});
