import type { TextLine } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { paragraphsOf } from './paragraphs.ts';

const line = (y: number, text: string | readonly string[], rest: Partial<TextLine> = {}): TextLine => ({
  x: 50,
  y,
  height: 12,
  angle: 0,
  runs: [text].flat().map((run) => ({ at: 0, text: run, ends: [] })),
  ...rest,
});
const read = (...lines: TextLine[]) => paragraphsOf({ language: null, lines }).map(({ text }) => text);

test('lines of one paragraph flow, and broken words are whole again', () => {
  expect(read(line(0, 'Strony zmieniają umowę kre\u{AD}'), line(14, 'dytu w zakresie'), line(28, 'terminu spłaty.'))).toEqual([
    'Strony zmieniają umowę kredytu w zakresie terminu spłaty.',
  ]);
});

test('air, other letters, headings and the next column begin anew', () => {
  expect(read(line(0, 'jeden'), line(25, 'dwa'))).toEqual(['jeden', 'dwa']);
  expect(read(line(0, 'Tytuł', { height: 20 }), line(21, 'tekst'))).toEqual(['Tytuł', 'tekst']);
  expect(read(line(0, 'Nagłówek', { heading: 2 }), line(13, 'tekst'))).toEqual(['Nagłówek', 'tekst']);
  expect(read(line(300, 'koniec kolumny'), line(0, 'druga kolumna', { x: 300 }))).toEqual(['koniec kolumny', 'druga kolumna']);
});

test('rows of a table stay rows', () => {
  expect(read(line(0, ['Rata', '120,00']), line(13, ['Odsetki', '8,10']))).toEqual(['Rata   120,00', 'Odsetki   8,10']);
});

test('a picture stands where it is read, and parts the paragraphs around it; another language begins anew', () => {
  const lines = [line(0, 'jeden'), line(14, 'dwa'), line(28, 'three', { language: 'en-GB' })];
  const figures = [
    { before: 1, text: 'Wykres', x: 0, y: 0, width: 9, height: 9 },
    { before: 3, text: 'Logo', language: 'en-GB', x: 0, y: 0, width: 9, height: 9 },
  ];
  expect(paragraphsOf({ language: 'pl', lines, figures }).map(({ text, language, isPicture }) => [text, language, isPicture])).toEqual([
    ['jeden', undefined, false],
    ['Wykres', undefined, true],
    ['dwa', undefined, false],
    ['three', 'en-GB', false],
    ['Logo', 'en-GB', true],
  ]);
});
