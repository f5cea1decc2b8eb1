import { beforeEach, expect, test } from 'vitest';
import { dayText, isIndefinite, momentText } from './dates.ts';
import { bytesText, sizeText } from './numbers.ts';
import { pdfName } from './save-file.ts';
import { speak } from './language.ts';
import { freshTab, sentences } from './page.fixture.tsx';

beforeEach(() => freshTab('PL'));

test('dates are year, month, day, with the time of the organisation after them', () => {
  expect(dayText(Date.UTC(2026, 10, 20, 22, 59, 59))).toBe('2026-11-20');
  expect(momentText(Date.UTC(2026, 10, 20, 22, 59, 59))).toBe('2026-11-20, 23:59:59');
  expect(dayText('2026-03-05')).toBe('2026-03-05');
});

test('a day begins at midnight in Warsaw, also on the days when the clocks change', () => {
  expect(momentText(Date.UTC(2026, 2, 28, 23, 0, 0))).toBe('2026-03-29, 00:00:00');
  expect(momentText(Date.UTC(2026, 2, 29, 1, 0, 0))).toBe('2026-03-29, 03:00:00');
  expect(dayText(Date.UTC(2026, 9, 25, 22, 59, 59))).toBe('2026-10-25');
  expect(dayText(Date.UTC(2026, 9, 25, 23, 0, 0))).toBe('2026-10-26');
});

test('a day begins at midnight where the organisation says that it is', async () => {
  await speak('PL', { ...sentences.PL, 'brand.timeZone': 'America/New_York' });
  expect(momentText(Date.UTC(2026, 10, 20, 4, 59, 59))).toBe('2026-11-19, 23:59:59');
});

test('no date is N/A, an indefinite one is said in Polish in both languages', async () => {
  expect([dayText(null), dayText(undefined), momentText(''), momentText(Number.NaN)]).toEqual(['N/A', 'N/A', 'N/A', 'N/A']);
  expect([dayText(-1), momentText('-1')]).toEqual(['bezterminowo', 'bezterminowo']);
  expect(isIndefinite(-1)).toBe(true);
  await freshTab('EN');
  expect(dayText(-1)).toBe('bezterminowo (indefinite)');
});

test('the moment zero is a date like any other', () => {
  expect(momentText(0)).toBe('1970-01-01, 01:00:00');
});

test('sizes follow the language and never break', async () => {
  expect([0, 1_023, 1_024, 284_312, 1_048_524, 1_048_525, 1_400_000, 5_242_880].map(sizeText)).toEqual(
    ['0 B', '1 023 B', '1 kB', '277,6 kB', '1 023,9 kB', '1 MB', '1,3 MB', '5 MB'].map((text) => text.replaceAll(' ', '\u{a0}')),
  );
  expect(bytesText(284_312)).toBe('284\u{a0}312\u{a0}B');
  expect(bytesText(1_234)).toBe('1\u{a0}234\u{a0}B');
  await freshTab('EN');
  expect(bytesText(284_312)).toBe('284,312\u{a0}B');
  expect(sizeText(1_400_000)).toBe('1.3\u{a0}MB');
});

test('a download keeps its name and gets the ending it lacks', () => {
  expect(pdfName('Umowa', 'id')).toBe('Umowa.pdf');
  expect(pdfName('Umowa.PDF', 'id')).toBe('Umowa.PDF');
  expect(pdfName(' ', 'id')).toBe('id.pdf');
  expect(pdfName(undefined, 'id')).toBe('id.pdf');
});
