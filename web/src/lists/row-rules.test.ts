import type { DocumentRow } from '@pergamin/contract';
import { describe, expect, test } from 'vitest';
import { hindranceOf, isUnread, opensByDownload } from './row-rules.ts';

const row = (part: Partial<DocumentRow> = {}): DocumentRow => ({
  id: '6f1b7a32-0000-4000-8000-000000000001',
  state: 'ACTIVE',
  metadata: { FILE_NAME: 'Umowa.pdf' },
  corrupted: false,
  deleted: false,
  published: true,
  read: null,
  downloaded: null,
  ...part,
});
const markers = ['DOC_EXT'];
const marked = { FILE_NAME: 'Dane.zip', DOC_EXT: 'zip' };
const hindrances = (document: DocumentRow) =>
  (['show', 'download', 'check'] as const).map((action) =>
    hindranceOf(action, document, { ignoreMarkers: markers, checkAfterReading: true }),
  );

describe('the buttons of a row', () => {
  test('a new document can be shown and downloaded, and checked once it was read', () => {
    expect(hindrances(row())).toEqual([undefined, undefined, 'unread']);
    expect(hindrances(row({ read: 1 }))).toEqual([undefined, undefined, undefined]);
  });

  test('a download alone does not open the check', () => {
    expect(hindrances(row({ downloaded: 1 }))).toEqual([undefined, undefined, 'unread']);
  });

  test('with an ignore marker all of them rest, and the name downloads', () => {
    const document = row({ metadata: marked, read: 1 });
    expect(hindrances(document)).toEqual(['downloadOnly', 'downloadOnly', 'downloadOnly']);
    expect(opensByDownload(document, markers)).toBe(true);
    expect(opensByDownload(document, [])).toBe(false);
  });

  test('a damaged document can only be checked, read or not, and its name leads to what happened', () => {
    for (const metadata of [{}, marked]) {
      const document = row({ corrupted: true, metadata });
      expect(hindrances(document)).toEqual(['corrupted', 'corrupted', undefined]);
      expect(opensByDownload(document, markers)).toBe(false);
    }
  });
});

test('what happened to a document may be seen of any: a new one, one that is only downloaded, a damaged one', () => {
  const rules = { ignoreMarkers: markers, checkAfterReading: true };
  for (const document of [row(), row({ metadata: marked }), row({ corrupted: true })])
    expect(hindranceOf('history', document, rules)).toBeUndefined();
});

test('a document is new until it was read or downloaded', () => {
  expect(isUnread(row())).toBe(true);
  expect(isUnread(row({ read: 1 }))).toBe(false);
  expect(isUnread(row({ downloaded: 1 }))).toBe(false);
});
