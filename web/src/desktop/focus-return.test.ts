import { afterEach, expect, test } from 'vitest';
import { createFocusReturn } from './focus-return.ts';

const addButton = (label: string, data: Readonly<Record<string, string>> = {}): HTMLButtonElement => {
  const button = document.createElement('button');
  button.textContent = label;
  Object.assign(button.dataset, data);
  document.body.append(button);
  return button;
};

afterEach(() => document.body.replaceChildren());

test('the focus goes back to what was drawn anew in the opener’s place, and not to the desk’s first tile', () => {
  addButton('First tile', { deskStart: '' });
  const openers = createFocusReturn(() => false);
  const opener = addButton('Documents', { opener: 'tile:documents' });
  openers.remember('received', opener);
  opener.remove();
  const redrawn = addButton('Documents', { opener: 'tile:documents' });
  openers.give('received');
  expect(document.activeElement).toBe(redrawn);
});

test('the focus goes to the desk’s first tile when nothing stands in the opener’s place', () => {
  const first = addButton('First tile', { deskStart: '' });
  addButton('Statements', { opener: 'tile:statements' });
  const openers = createFocusReturn(() => false);
  const opener = addButton('Documents', { opener: 'tile:documents' });
  openers.remember('received', opener);
  opener.remove();
  openers.give('received');
  expect(document.activeElement).toBe(first);
});
