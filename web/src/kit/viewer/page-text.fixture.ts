import type { PageText } from '@pergamin/contract';

/** Lines of 12 points, each letter six wide, one below another from the top left corner. */
export const textOf = (...lines: readonly string[]): PageText => ({
  language: 'pl-PL',
  lines: lines.map((text, index) => ({
    x: 60,
    y: 60 + 16 * index,
    height: 12,
    angle: 0,
    runs: [{ at: 0, text, ends: Array.from({ length: text.length }, (_, letter) => 6 * (letter + 1)) }],
  })),
});
