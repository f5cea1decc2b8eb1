import { expect, test } from 'vitest';
import { countFilters, firstView, isChanged, noFilters, queryOf, readDraft, withFilter } from './sent-view.ts';

const zone = 'Europe/Warsaw';

test('at first the newest are asked for, and nothing narrows them', () => {
  expect(queryOf(firstView, zone)).toEqual({
    text: null,
    criteria: { filename: null, categoryId: null, typeId: null, createdOnAfter: null, createdOnBefore: null },
    sort: [{ by: 'createdOn', order: 'desc' }],
    page: 0,
    size: 10,
  });
});

test('days reach from their first moment to their last where the organisation is, over the change of clocks', () => {
  const { criteria } = queryOf({ ...firstView, filters: { ...noFilters, after: '2026-10-25', before: '2026-10-25' } }, zone);
  expect(criteria.createdOnAfter).toBe(Date.parse('2026-10-25T00:00:00+02:00'));
  expect(criteria.createdOnBefore).toBe(Date.parse('2026-10-25T23:59:59.999+01:00'));
});

test('blank texts ask for nothing, others are trimmed', () => {
  const { text, criteria } = queryOf({ ...firstView, text: '  ', filters: { ...noFilters, filename: ' umowa ' } }, zone);
  expect([text, criteria.filename]).toEqual([null, 'umowa']);
});

test('a form says its filters, or what stands against them', () => {
  const draft = { ...noFilters, after: '01.06.2026', before: '20-11-2026' };
  expect(readDraft(draft)).toEqual({ filters: { ...noFilters, after: '2026-06-01', before: '2026-11-20' } });
  expect(readDraft({ ...draft, after: '31-02-2026', before: 'x' })).toEqual({ unreadable: ['after', 'before'] });
  expect(readDraft({ ...draft, after: '21-11-2026' })).toEqual({ isReversed: true });
});

test('a form that says what is applied is unchanged; one that cannot be read has to be looked at', () => {
  const applied = { ...noFilters, filename: 'umowa', after: '2026-06-01' };
  expect(isChanged(applied, applied)).toBe(false);
  expect(isChanged({ ...applied, filename: 'umowa ' }, applied)).toBe(false);
  expect(isChanged({ ...applied, typeId: 'INCOME' }, applied)).toBe(true);
  expect(isChanged({ ...applied, after: '?' }, applied)).toBe(true);
});

test('filters are counted, and a type goes with its category', () => {
  const filters = { ...noFilters, categoryId: 'LOANS', typeId: 'INCOME', before: '2026-06-01' };
  expect(countFilters(filters)).toBe(3);
  expect(withFilter(filters, 'categoryId', '')).toEqual({ ...noFilters, before: '2026-06-01' });
  expect(withFilter(filters, 'before', '')).toEqual({ ...filters, before: '' });
});
