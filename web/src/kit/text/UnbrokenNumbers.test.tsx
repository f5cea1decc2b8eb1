import { expect, test } from 'vitest';
import { show } from '#kit/render.fixture.tsx';
import { UnbrokenNumbers } from './UnbrokenNumbers.tsx';

const wholesOf = (text: string) => [...show(<UnbrokenNumbers text={text} />).querySelectorAll('span')].map((span) => span.textContent);

test('the number of a case goes to the next line as a whole, with the abbreviation before it', () => {
  expect(wholesOf('Aneks nr 3 do umowy kredytu nr KH-2023-02045')).toEqual(['nr KH-2023-02045']);
  expect(wholesOf('Odpowiedź na reklamację PI/2026/07660.pdf')).toEqual(['PI/2026/07660.pdf']);
});

test('a text without such a number stays as it is', () => {
  expect(wholesOf('Wyciąg roczny za 2025 rok')).toEqual([]);
  expect(show(<UnbrokenNumbers text="Polisa nr KH-1 i nr KH-2" />).textContent).toBe('Polisa nr KH-1 i nr KH-2');
});
