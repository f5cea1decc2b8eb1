import type { PageText, TextLine } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { show } from '#kit/render.fixture.tsx';
import { TextLayer } from './TextLayer.tsx';

/** Each letter is ten points wide. */
const lineOf = (text: string, more: Partial<TextLine> = {}): TextLine => ({
  x: 20,
  y: 10,
  height: 14,
  angle: 0,
  runs: [{ at: 0, text, ends: Array.from(text, (_, index) => 10 * (index + 1)) }],
  ...more,
});

const placesOf = (line: TextLine): number[] => {
  const page: PageText = { language: null, lines: [line] };
  const shown = show(
    <div style={{ position: 'relative', width: 300, height: 100, ['--point' as string]: '1px' }}>
      <TextLayer text={page} />
    </div>,
  );
  const [text] = [...shown.querySelectorAll('span')].map((span) => span.firstChild);
  if (!(text instanceof Text)) throw new Error('the line has no text');
  const origin = shown.firstElementChild?.getBoundingClientRect().left ?? 0;
  return Array.from(text.data, (_, index) => {
    const letter = document.createRange();
    letter.setStart(text, index);
    letter.setEnd(text, index + 1);
    return Math.round((letter.getBoundingClientRect().left - origin) / 5) * 5;
  });
};

test('letters lie over those of the picture', () => {
  expect(placesOf(lineOf('abc'))).toEqual([20, 30, 40]);
});

test('letters of a line that is read from right to left lie over those of the picture, the first one at the right', () => {
  expect(placesOf(lineOf('אבג', { rightToLeft: true }))).toEqual([40, 30, 20]);
});
