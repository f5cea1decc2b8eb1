import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ignorePressesOnChangedControls } from './double-press.ts';
import { show } from './page.fixture.tsx';

let pressed: string[];

beforeEach(() => {
  pressed = [];
  onTestFinished(ignorePressesOnChangedControls());
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Each press leads to the next step, whose button lies where the last one lay. */
function Steps({ names }: { readonly names: readonly string[] }) {
  const [step, setStep] = useState(0);
  const name = names[step] ?? 'end';
  return (
    <button
      key={names.length > 2 ? name : 'same'}
      type="button"
      style={{ position: 'fixed', top: 100, left: 100 }}
      onClick={() => {
        pressed.push(name);
        setStep(step + 1);
      }}
    >
      {name}
    </button>
  );
}

test('a double click acts on the button that was there first, and not on the one that takes its place', async () => {
  show(<Steps names={['Next', 'Send', 'Close']} />);
  await userEvent.dblClick(button('Next'));
  await expect.element(button('Send')).toBeVisible();
  expect(pressed).toEqual(['Next']);
});

test('a double click acts once where the same button gets another label', async () => {
  show(<Steps names={['Next', 'Send']} />);
  await userEvent.dblClick(button('Next'));
  await expect.element(button('Send')).toBeVisible();
  expect(pressed).toEqual(['Next']);
});

test('presses of a button that stays the same all count', async () => {
  show(
    <button type="button" onClick={() => pressed.push('in')}>
      Zoom in
    </button>,
  );
  await userEvent.tripleClick(button('Zoom in'));
  expect(pressed).toEqual(['in', 'in', 'in']);
});

test('a press by key right after a click counts', async () => {
  show(<Steps names={['Next', 'Send']} />);
  await userEvent.click(button('Next'));
  await userEvent.keyboard('{Enter}');
  expect(pressed).toEqual(['Next', 'Send']);
});

test('a click on a label ticks its box', async () => {
  show(
    <label>
      <input type="checkbox" onChange={() => pressed.push('ticked')} /> Agreed
    </label>,
  );
  await userEvent.click(page.getByText('Agreed'));
  expect(pressed).toEqual(['ticked']);
});
