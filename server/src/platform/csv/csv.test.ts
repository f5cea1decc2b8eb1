import { describe, expect, test } from 'vitest';
import { asText, csvLine } from './csv.ts';

describe('109: a cell that a spreadsheet would calculate', () => {
  test.each(['=cmd|calc', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠x'])('%j is shown as text', (text) => {
    expect(asText(text)).toBe(`'${text}`);
  });

  test.each(['', 'Umowa', '1=1', ' =1', 'a-b', '—', '2026-01-31', "'=1"])('%j is text already', (text) => {
    expect(asText(text)).toBe(text);
  });
});

describe('a line', () => {
  test('is divided as spreadsheets of the language expect', () => {
    expect(csvLine(['a', 'b'], 'PL')).toBe('a;b\r\n');
    expect(csvLine(['a', 'b'], 'EN')).toBe('a,b\r\n');
  });

  test('keeps what divides, quotes and line breaks within its cells', () => {
    expect(csvLine(['a;b', 'c,d', 'e"f', 'g\nh', 'i\rj', 'k\tl', ''], 'EN')).toBe('"a;b","c,d","e""f","g\nh","i\rj","k\tl",\r\n');
  });
});
