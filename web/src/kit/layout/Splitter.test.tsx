import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Splitter } from './Splitter.tsx';
import { show } from '#kit/render.fixture.tsx';

test('a splitter is moved by arrow keys between its limits', async () => {
  const widths: number[] = [];
  function Panel() {
    const [width, setWidth] = useState(280);
    widths.push(width);
    return <Splitter name="Width of the details" panel="after" width={width} max={400} onResize={setWidth} />;
  }
  show(<Panel />);
  const bar = page.getByRole('separator', { name: 'Width of the details' });
  const element = bar.element();
  if (element instanceof HTMLElement) element.focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(bar).toHaveAttribute('aria-valuenow', '300');
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}');
  await expect.element(bar).toHaveAttribute('aria-valuenow', '250');
  await userEvent.keyboard('{End}');
  await expect.element(bar).toHaveAttribute('aria-valuenow', '400');
});
