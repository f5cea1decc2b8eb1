import type { MetadataMap } from '@pergamin/contract';
import { describe, expect, test } from 'vitest';
import { PortalError } from '#platform/http/errors.ts';
import { createDefinitions, type Definition } from './metadata-definitions.ts';
import { readPublicationValues } from './publication.rules.ts';

const aDefinition = (definition: Pick<Definition, 'id' | 'type'> & Partial<Definition>): Definition => ({
  number: null,
  name: { pl: definition.id, en: definition.id },
  description: null,
  required: false,
  system: false,
  final: false,
  removed: false,
  visible: 'yes',
  dictionary: null,
  screens: [],
  ...definition,
});

const definitions = createDefinitions({
  markerKey: 'MARK',
  all: [
    aDefinition({ id: 'FILE_NAME', number: 1, type: 'TEXT', required: true }),
    aDefinition({ id: 'PRIV_CASE_NUMBER', type: 'TEXT' }),
    aDefinition({ id: 'ACCOUNT_NUMBER', type: 'RAW' }),
    aDefinition({ id: 'ST_DOC_TYPE', type: 'KEY_NAME', dictionary: 'ST_DOC_TYPE' }),
    aDefinition({ id: 'REG_DATE', type: 'SIMPLE_DATE' }),
    aDefinition({ id: 'ST_PERIOD_START', type: 'SIMPLE_DATE' }),
    aDefinition({ id: 'ST_PERIOD_END', type: 'SIMPLE_DATE' }),
    aDefinition({ id: '11', number: 11, type: 'SIMPLE_DATE' }),
    aDefinition({ id: 'SIGNED_AT', type: 'DATE' }),
    aDefinition({ id: 'AMOUNT', type: 'DECIMAL' }),
    aDefinition({ id: 'URGENT', type: 'BOOLEAN' }),
    aDefinition({ id: 'NOTE', type: 'TEXT', visible: 'no' }),
    aDefinition({ id: 'OLD', type: 'TEXT', removed: true }),
    aDefinition({ id: 'UNIQUE_NAME', number: 10, type: 'RAW', system: true, final: true, visible: 'no' }),
    aDefinition({ id: 'MARK', type: 'RAW', visible: 'server' }),
  ],
  dictionaries: [
    {
      id: 'ST_DOC_TYPE',
      name: { pl: 'Rodzaj', en: 'Type' },
      type: 'KEY_NAME',
      values: [{ key: 'MONTHLY', name: { pl: 'Miesięczny', en: 'Monthly' } }],
    },
  ],
});

const read = (values: MetadataMap) => readPublicationValues({ FILE_NAME: 'a.pdf', ...values }, definitions);

const refusal = (values: MetadataMap): Record<string, string> | undefined => {
  try {
    readPublicationValues(values, definitions);
  } catch (error) {
    if (error instanceof PortalError && error.code === 'DOCUMENT_METADATA_ERROR') return error.fields;
    throw error;
  }
  return undefined;
};

describe('what a publisher says about a document', () => {
  test('goes to the columns of the lists, and the rest by id', () => {
    expect(read({ PRIV_CASE_NUMBER: ' K/1 ', '11': '2027-02-28', AMOUNT: 1.5, URGENT: false, MARK: 'STATEMENTS' })).toMatchObject({
      columns: { file_name: 'a.pdf', case_number: 'K/1', marker: 'STATEMENTS', reg_date: null },
      meta: { '11': '2027-02-28', AMOUNT: 1.5, URGENT: false },
    });
  });

  test('may name a thing by its number', () => {
    expect(readPublicationValues({ '1': 'b.pdf' }, definitions).columns.file_name).toBe('b.pdf');
    expect(read({ '1': 'a.pdf' }).columns.file_name).toBe('a.pdf');
  });

  test('keeps an indefinite date as the end of time', () => {
    expect(read({ REG_DATE: -1, '11': -1, SIGNED_AT: -1 })).toMatchObject({
      columns: { reg_date: 'infinity' },
      meta: { '11': 'infinity', SIGNED_AT: 'infinity' },
    });
    expect(read({ SIGNED_AT: 1_700_000_000_000 }).meta).toEqual({ SIGNED_AT: 1_700_000_000_000 });
  });

  test('is as good as not said when it is blank', () => {
    expect(read({ PRIV_CASE_NUMBER: '  ', ST_DOC_TYPE: '' })).toMatchObject({ columns: { case_number: null, st_doc_type: null } });
  });

  test('is searched as the client sees it, without accents, and never what is hidden', () => {
    const { searchText } = read({ PRIV_CASE_NUMBER: 'Łódź 7', ACCOUNT_NUMBER: '12 34', NOTE: 'secret', MARK: 'STATEMENTS' });
    expect(searchText.split('\n')).toEqual(['a.pdf', 'lodz 7', '12 34', '1234']);
  });

  test.each<[string, MetadataMap, string]>([
    ['an unknown key', { SALARY: 'x' }, 'SALARY'],
    ['a key that is no longer in use', { OLD: 'x' }, 'OLD'],
    ['a key that the portal sets', { UNIQUE_NAME: 'x' }, 'UNIQUE_NAME'],
    ['a key that the portal sets, by its number', { '10': 'x' }, '10'],
    ['one thing said twice and differently', { '1': 'b.pdf' }, 'FILE_NAME'],
    ['a name of the language', JSON.parse('{"__proto__":"x"}') as MetadataMap, '__proto__'],
    ['another name of the language', { constructor: 'x' }, 'constructor'],
    ['text that is a number', { PRIV_CASE_NUMBER: 1 }, 'PRIV_CASE_NUMBER'],
    ['an option that its dictionary does not have', { ST_DOC_TYPE: 'YEARLY' }, 'ST_DOC_TYPE'],
    ['a number that is text', { AMOUNT: '1.5' }, 'AMOUNT'],
    ['a truth that is text', { URGENT: 'true' }, 'URGENT'],
    ['a moment that is text', { SIGNED_AT: '2026-01-01' }, 'SIGNED_AT'],
    ['a moment that cannot be', { SIGNED_AT: 8.64e15 + 1 }, 'SIGNED_AT'],
    ['a day that is a number', { REG_DATE: 20_260_101 }, 'REG_DATE'],
    ['a day that does not exist', { REG_DATE: '2026-02-29' }, 'REG_DATE'],
    ['a day of another form', { REG_DATE: '01-02-2026' }, 'REG_DATE'],
    ['a day before all years', { REG_DATE: '0000-01-01' }, 'REG_DATE'],
    ['a period that ends before it starts', { ST_PERIOD_START: '2026-02-01', ST_PERIOD_END: '2026-01-31' }, 'ST_PERIOD_END'],
    ['a period that starts never', { ST_PERIOD_START: -1, ST_PERIOD_END: '2026-01-31' }, 'ST_PERIOD_END'],
  ])('is refused for %s', (_, values, field) => {
    const said = new Map(Object.entries({ FILE_NAME: 'a.pdf' }).concat(Object.entries(values) as [string, string][]));
    expect(Object.keys(refusal(Object.fromEntries(said)) ?? {})).toEqual([field]);
  });

  test('is refused without what is required, or with a blank in its place', () => {
    expect(refusal({})).toEqual({ FILE_NAME: 'required' });
    expect(refusal({ FILE_NAME: ' ' })).toEqual({ FILE_NAME: 'required' });
  });

  test('is told everything that is wrong at once', () => {
    expect(Object.keys(refusal({ AMOUNT: '1', REG_DATE: 'x', SALARY: 1 }) ?? {})).toEqual(['AMOUNT', 'REG_DATE', 'SALARY', 'FILE_NAME']);
  });

  test('may have a period of one day, and one that never ends', () => {
    expect(refusal({ FILE_NAME: 'a', ST_PERIOD_START: '2026-02-01', ST_PERIOD_END: '2026-02-01' })).toBeUndefined();
    expect(refusal({ FILE_NAME: 'a', ST_PERIOD_START: '2026-02-01', ST_PERIOD_END: -1 })).toBeUndefined();
  });
});
