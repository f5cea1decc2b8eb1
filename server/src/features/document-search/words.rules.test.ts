import { expect, test } from 'vitest';
import { fragmentOf, lexemesOf, termsOf, tsqueryOf, wordsOf } from './words.rules.ts';

test('words are kept without case, accents and signs, each once', () => {
  expect([...wordsOf('Umowa nr 12/2026: umowa o KREDYT hipoteczny, Żółć-łódź')]).toEqual([
    'umowa',
    'nr',
    '12',
    '2026',
    'o',
    'kredyt',
    'hipoteczny',
    'zolc',
    'lodz',
  ]);
});

test('every word is the beginning of one or of the same stem, but a single sign is a whole one', () => {
  expect(tsqueryOf(termsOf('Żółty o 26'))).toBe(`('zolty':* | '~zolt' | 'zolt' | '^zolti' | 'zolti') & 'o' & '26':*`);
});

test('ss is looked for as ß, too, as texts that were read before have it', () => {
  expect(tsqueryOf(termsOf('Maße 12'))).toBe(`('masse':* | 'maße':* | '~mass' | 'mass' | '^mass') & '12':*`);
  expect([...wordsOf('Straße')]).toEqual(['strasse']);
});

const account = '61109010140000071219812874';
const inGroups = '61 1090 1014 0000 0712 1981 2875'.replace('2875', '2874');

test.each([account, inGroups, `PL${account}`, `pl ${inGroups}`, inGroups.replaceAll(' ', '-'), inGroups.replaceAll(' ', '\u00a0')])(
  'an account number that is typed as %s is looked for in every form that pages print',
  (typed) => {
    expect(tsqueryOf(termsOf(`rata ${typed}`))).toBe(
      `('${account}' | 'pl${account}' | (('61' | 'pl61') & '1090' & '1014' & '0000' & '0712' & '1981' & '2874')) & ${tsqueryOf(termsOf('rata'))}`,
    );
  },
);

test('words are kept with those of their stems that are no words themselves', () => {
  expect([...lexemesOf(wordsOf('Kredytem 12 loans'))]).toEqual(['kredytem', '12', 'loans', '~kredyt', '^loan']);
});

test.each(["'", "a'b", '\\', ":* | 'x'", '& !', '()', '   ', '%_'])('nothing of %j is anything but a word', (text) => {
  expect(tsqueryOf(termsOf(text))).toMatch(/^(?:\(?'[~^]?[\p{L}\p{N}]+'(?::\*)?\)?(?: [&|] )?)*$/u);
});

const written = (text: string, wanted: string): string =>
  fragmentOf(text, termsOf(wanted))
    .map((piece) => (piece.match ? `[${piece.text}]` : piece.text))
    .join('');

test('a fragment marks what was asked for as it is written', () => {
  expect(written('Harmonogram spłat\nkredytu w Łodzi', 'lodz splat')).toBe('Harmonogram [spłat] kredytu w [Łodz]i');
});

test('a fragment marks the whole word where it is another inflection of what was asked for', () => {
  expect(written('Wysokość oprocentowania kont, kontakt', 'oprocentowaniem konto')).toBe('Wysokość [oprocentowania] [kont], kontakt');
});

test('a fragment marks an account number in the form in which the page prints it', () => {
  expect(written(`Rachunek PL${inGroups}.`, account)).toBe('Rachunek [PL61] [1090] [1014] [0000] [0712] [1981] [2874].');
  expect(written(`Rachunek ${account}.`, inGroups)).toBe(`Rachunek [${account}].`);
});

test('accents that are signs of their own are marked with their letters', () => {
  expect(written('z\u0307o\u0301łty ser', 'żół')).toBe('[z\u0307o\u0301ł]ty ser');
});

test('a fragment begins and ends between words, near the first that was found', () => {
  const filling = 'lorem ipsum dolor sit amet '.repeat(20);
  const piece = written(`${filling}umowa kredytu ${filling}`, 'umow');
  expect(piece).toContain('[umow]a kredytu');
  expect(piece.length).toBeLessThan(190);
  expect(`${filling}umowa kredytu ${filling}`).toContain(piece.replaceAll(/[[\]]/g, ''));
  expect(piece).toMatch(/^(?:lorem|ipsum|dolor|sit|amet) .* (?:lorem|ipsum|dolor|sit|amet)$/);
});

test('the letters of a ligature do not move what is marked', () => {
  expect(written('İstanbul ﬁrma', 'firma')).toBe('İstanbul ﬁrma');
  expect(written('İstanbul Firma', 'firma')).toBe('İstanbul [Firma]');
});
