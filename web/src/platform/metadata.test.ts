import type { MetadataDefinition, MetadataMap } from '@pergamin/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountNumberText, createMetadataTexts, titleOf } from './metadata.ts';
import { freshTab } from './page.fixture.tsx';

type Part = Pick<MetadataDefinition, 'id' | 'type'> & Partial<MetadataDefinition>;

const define = (part: Part): MetadataDefinition => ({
  number: null,
  name: { pl: `pl ${part.id}`, en: `en ${part.id}` },
  description: null,
  required: false,
  system: false,
  final: false,
  removed: false,
  dictionary: null,
  screens: ['D'],
  ...part,
});

const definitions = [
  define({ id: 'FILE_NAME', number: 1, type: 'TEXT', name: { pl: 'Nazwa pliku', en: 'File name' } }),
  define({ id: 'GROUP', type: 'KEY_NAME', dictionary: 'GROUPS', screens: ['R', 'D'] }),
  define({ id: 'ACCOUNT_NUMBER', type: 'RAW' }),
  define({ id: 'CASE', type: 'RAW' }),
  define({ id: 'REG_DATE', type: 'SIMPLE_DATE' }),
  define({ id: 'RETENTION_DATE', number: 8, type: 'SIMPLE_DATE' }),
  define({ id: 'PUBLICATION_DATE', number: 7, type: 'DATE' }),
  define({ id: '2', number: 2, type: 'DECIMAL' }),
  define({ id: '4', number: 4, type: 'DECIMAL' }),
  define({ id: 'HCP', type: 'BOOLEAN' }),
  define({ id: 'CHECKSUM_SHA256', number: 3, type: 'RAW' }),
  define({ id: 'CIF', type: 'RAW', screens: ['V'] }),
  define({ id: 'PUB_FILENAME', type: 'TEXT', name: { pl: 'Nazwa pliku', en: 'File name' } }),
  define({ id: 'PUB_DESC_DURATION_TIME', type: 'TEXT', name: { pl: 'Opis okresu obowiązywania', en: 'Duration description' } }),
];
const dictionaries = [
  {
    id: 'GROUPS',
    name: { pl: '', en: '' },
    type: 'KEY_NAME' as const,
    values: [{ key: 'LOANS', name: { pl: 'Kredyty', en: 'Loans' } }],
  },
];
const texts = () => createMetadataTexts({ definitions, dictionaries });
const shown = (values: MetadataMap) =>
  texts()
    .linesOf(values, 'D')
    .map(({ id, value }) => [id, value.look, value.text]);

beforeEach(() => freshTab('PL'));

describe('rows of the details panel', () => {
  test('stand in the order of their definitions, however the values come', () => {
    expect(shown({ CASE: 'KH/1', GROUP: 'LOANS', FILE_NAME: 'Umowa.pdf' }).map(([id]) => id)).toEqual(['FILE_NAME', 'GROUP', 'CASE']);
  });

  test('say a file name once, and call the duration of a public document what the details call it', () => {
    const lines = texts().linesOf({ FILE_NAME: 'Cennik.pdf', PUB_FILENAME: 'Cennik.pdf', PUB_DESC_DURATION_TIME: '2026' }, 'D');
    expect(lines.map(({ label }) => label)).toEqual(['Nazwa pliku', 'Czas obowiązywania']);
  });

  test('are there only where something is to be shown, and only on their own screens', () => {
    expect(shown({ FILE_NAME: ' \t', CASE: '', CIF: '123', UNKNOWN: 'x' })).toEqual([]);
    expect(
      texts()
        .linesOf({ CIF: '123', CASE: 'KH/1' }, 'V')
        .map(({ id }) => id),
    ).toEqual(['CIF']);
  });

  test('read a value by its key or by the number of the same thing', () => {
    expect(shown({ '1': 'Umowa.pdf' })).toEqual([['FILE_NAME', 'text', 'Umowa.pdf']]);
  });

  test('show machine values as they are, the checksum as a checksum', () => {
    expect(shown({ CASE: ' KH/1 ', CHECKSUM_SHA256: 'ab'.repeat(32) })).toEqual([
      ['CASE', 'mono', ' KH/1 '],
      ['CHECKSUM_SHA256', 'checksum', 'ab'.repeat(32)],
    ]);
  });

  test('show days, moments, numbers, sizes and yes or no in the language of the page', () => {
    const values = { REG_DATE: '2026-11-18', PUBLICATION_DATE: Date.UTC(2026, 10, 18, 10, 5, 7), '2': 3, '4': 284_312, HCP: false };
    expect(shown(values)).toEqual([
      ['REG_DATE', 'mono', '2026-11-18'],
      ['PUBLICATION_DATE', 'mono', '2026-11-18, 11:05:07'],
      ['2', 'text', '3'],
      ['4', 'text', '277,6\u{a0}kB'],
      ['HCP', 'text', 'nie'],
    ]);
  });

  test('show a date without an end by its word', async () => {
    expect(shown({ RETENTION_DATE: -1 })).toEqual([['RETENTION_DATE', 'indefinite', 'bezterminowo']]);
    await freshTab('EN');
    expect(texts().textOf('RETENTION_DATE', -1)).toBe('bezterminowo (indefinite)');
  });
});

describe('names', () => {
  test('of options come from their dictionary, an unknown option is shown by its key', async () => {
    expect(texts().textOf('GROUP', 'LOANS')).toBe('Kredyty');
    expect(texts().textOf('GROUP', 'GONE')).toBe('GONE');
    expect(texts().textOf('GROUP', undefined)).toBe('');
    await freshTab('EN');
    expect(texts().textOf('GROUP', 'LOANS')).toBe('Loans');
    expect(texts().labelOf('FILE_NAME')).toBe('File name');
    expect(texts().labelOf('UNKNOWN')).toBe('UNKNOWN');
  });

  test('of documents are their file names without the ending, or else their ids', () => {
    const named = (name?: string) => titleOf({ id: 'id-1', metadata: name === undefined ? {} : { FILE_NAME: name } });
    expect([named('Umowa.pdf'), named('Umowa.PDF'), named('Umowa 1.2'), named('.pdf'), named(' '), named()]).toEqual([
      'Umowa',
      'Umowa',
      'Umowa 1.2',
      'id-1',
      'id-1',
      'id-1',
    ]);
  });
});

describe('account numbers', () => {
  test('are set in groups of four, with the country of their check digits', () => {
    expect(accountNumberText('61109010140000071219812874')).toBe('PL61 1090 1014 0000 0712 1981 2874');
    expect(accountNumberText('PL 61 1090 1014 0000 0712 1981 2874')).toBe('PL61 1090 1014 0000 0712 1981 2874');
  });

  test('whose check digits are not those of Poland get no country', () => {
    expect(accountNumberText('62109010140000071219812874')).toBe('62 1090 1014 0000 0712 1981 2874');
  });

  test('of another form stay whole', () => {
    for (const other of ['DE89370400440532013000', '12345', '']) expect(accountNumberText(other)).toBe(other);
  });
});
