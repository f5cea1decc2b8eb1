import { expect, test } from 'vitest';
import { stemsOf } from './stems.rules.ts';

const stemOf = (language: 'polish' | 'english') => (word: string) => stemsOf(word)?.[language];

test.each([
  'oprocentowanie oprocentowania oprocentowaniu oprocentowaniem oprocentowan',
  'umowa umowy umowie umowe umow umowom umowami umowach',
  'kredyt kredytu kredytowi kredytem kredycie kredyty kredytow kredytom kredytami kredytach',
  'rachunek rachunku rachunkowi rachunkiem rachunki rachunkow rachunkami rachunkach',
  'karta karty karcie karte kart kartom kartami kartach',
  'rata raty racie rate rat ratami',
  'konto konta koncie kontem kont kontami',
  'hipoteka hipoteki hipotece hipoteke',
  'usluga uslugi usludze usluge uslug uslugami',
  'transakcja transakcji transakcje transakcjom transakcjami transakcjach',
  'naleznosc naleznosci naleznoscia naleznosciami',
  'system systemu systemem systemie systemy systemow',
  'numer numeru numerze numerem numery numerow',
  'miesieczny miesieczna miesieczne miesiecznego miesiecznej miesiecznych miesiecznymi',
  'wniosek wniosku wnioskiem wnioski wnioskow',
])('these have one Polish stem: %s', (words) => {
  expect(new Set(words.split(' ').map(stemOf('polish'))).size).toBe(1);
});

test.each(['konto kontakt kontrola', 'rata ratownik', 'karta kartoteka karton', 'wiek wieczor', 'oplata oplatek'])(
  'these have Polish stems of their own: %s',
  (words) => {
    const all = words.split(' ');
    expect(new Set(all.map(stemOf('polish'))).size).toBe(all.length);
  },
);

test.each(['statement statements', 'policy policies', 'credit credits credited crediting'])('these have one English stem: %s', (words) => {
  expect(new Set(words.split(' ').map(stemOf('english'))).size).toBe(1);
});

test.each(['12', 'a4', 'nr', 'договор', 'x'])('%s has none', (word) => {
  expect(stemsOf(word)).toBeUndefined();
});
