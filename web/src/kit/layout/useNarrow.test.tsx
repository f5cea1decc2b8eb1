import { useState } from 'react';
import { expect, test } from 'vitest';
import { show } from '#kit/render.fixture.tsx';
import { useNarrow } from './useNarrow.ts';

/** Shows an element and tells, render by render, what was known of its room once it was there. */
const showBox = (style: { readonly width: number; readonly display?: string }) => {
  const told: boolean[] = [];
  function Box() {
    const [box, setBox] = useState<HTMLElement | null>(null);
    const isNarrow = useNarrow(box, 500);
    if (box !== null) told.push(isNarrow);
    return <div ref={setBox} style={style} />;
  }
  const box = show(<Box />).firstElementChild;
  if (!(box instanceof HTMLElement)) throw new Error('the box is not there');
  return { box, told };
};

test('the room of an element is known in the first render that has the element', () => {
  expect(showBox({ width: 400 }).told[0]).toBe(true);
  expect(showBox({ width: 600 }).told[0]).toBe(false);
  expect(showBox({ width: 400 }).told).not.toContain(false);
});

test('an element that becomes narrower, or wider, is told so', async () => {
  const { box, told } = showBox({ width: 600 });
  box.style.width = '499px';
  await expect.poll(() => told.at(-1)).toBe(true);
  box.style.width = '500px';
  await expect.poll(() => told.at(-1)).toBe(false);
});

test('an element that is not shown is measured when it is', async () => {
  const { box, told } = showBox({ width: 400, display: 'none' });
  expect(told.at(-1)).toBe(false);
  box.style.display = 'block';
  await expect.poll(() => told.at(-1)).toBe(true);
});
