import { describe, expect, test } from 'vitest';
import { addMonths, longDay, monthName } from './calendar.ts';
import { bindWords } from './layout/text-lines.ts';
import { accountNumber, amount, inWords, percent, spacedAccount } from './money.ts';

const day = (iso: string): Date => new Date(`${iso}T00:00:00Z`);
/** No-break spaces made visible. */
const shown = (text: string): string => text.replaceAll('\u00a0', '~');

describe('words that stay together', () => {
  test.each([
    ['Bank i Klient w domu', 'Bank i~Klient w~domu'],
    ['a w Gdańsku', 'a~w~Gdańsku'],
    ['na podstawie § 5 ust. 2', 'na podstawie §~5 ust.~2'],
    ['umowa nr KH/2026/00123', 'umowa nr~KH/2026/00123'],
    ['kwota 1 234 567,00 zł brutto', 'kwota 1~234~567,00~zł brutto'],
    ['dnia 30 października 2026 r. w Toruniu', 'dnia 30~października 2026~r. w~Toruniu'],
    ['87-100 Toruń', '87-100~Toruń'],
    ['Rata 10. dnia miesiąca', 'Rata 10.~dnia miesiąca'],
  ])('%s', (text, expected) => {
    expect(shown(bindWords(text))).toBe(expected);
  });

  test('„r.” at the end of a sentence has one full stop', () => {
    expect(shown(bindWords('do 30 maja 2026 r.. Potem'))).toBe('do 30~maja 2026~r. Potem');
    expect(shown(bindWords('**do 30 maja 2026 r.**. Potem'))).toBe('**do 30~maja 2026~r.** Potem');
  });
});

describe('numbers', () => {
  test.each([
    [0, '0,00'],
    [5, '0,05'],
    [123_456, '1~234,56'],
    [-123_456_789, '−1~234~567,89'],
  ])('%i grosze', (grosze, expected) => {
    expect(shown(amount(grosze))).toBe(expected);
  });

  test.each([
    [100, 'jeden złoty 00/100'],
    [200, 'dwa złote 00/100'],
    [1_200_000, 'dwanaście tysięcy złotych 00/100'],
    [2_200_050, 'dwadzieścia dwa tysiące złotych 50/100'],
    [100_100_000, 'milion tysiąc złotych 00/100'],
    [45_615_200, 'czterysta pięćdziesiąt sześć tysięcy sto pięćdziesiąt dwa złote 00/100'],
    [11_211_400, 'sto dwanaście tysięcy sto czternaście złotych 00/100'],
  ])('%i grosze in words', (grosze, expected) => {
    expect(inWords(grosze)).toBe(expected);
  });

  test('a rate is written with two decimals', () => {
    expect(percent(705)).toBe('7,05%');
  });

  test('check digits of an account number follow ISO 13616', () => {
    expect(accountNumber('10901014', '0000071219812874')).toBe('61109010140000071219812874');
    expect(shown(spacedAccount('61109010140000071219812874'))).toBe('61~1090~1014~0000~0712~1981~2874');
  });
});

describe('days', () => {
  test('months are named in Polish', () => {
    expect(longDay(day('2026-10-30'))).toBe('30 października 2026 r.');
    expect(monthName(day('2026-02-01'))).toBe('luty 2026');
  });

  test('a month later than the last of January is the last of February', () => {
    expect(addMonths(day('2028-01-31'), 1)).toEqual(day('2028-02-29'));
    expect(addMonths(day('2026-03-31'), -13)).toEqual(day('2025-02-28'));
  });
});
