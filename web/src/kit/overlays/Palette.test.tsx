import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Palette, type PaletteGroup } from './Palette.tsx';
import { show } from '#kit/render.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';

beforeEach(() => freshTab('EN'));

const groups: readonly PaletteGroup[] = [
  {
    id: 'documents',
    label: 'Documents',
    items: [
      { id: 'd1', label: 'Mortgage agreement', marked: [[0, 5]], detail: 'KH/2026/04417', face: { sha256: 'ab'.repeat(32) } },
      { id: 'd2', label: 'Annex 1', face: { sha256: 'cd'.repeat(32) } },
    ],
  },
  { id: 'actions', label: 'Actions', items: [{ id: 'a1', label: 'Log out', face: { icon: 'sign-out' } }] },
];

function open(shown: readonly PaletteGroup[] = groups) {
  const chosen: string[] = [];
  function Opening() {
    const [isOpen, setOpen] = useState(false);
    const [query, setQuery] = useState('');
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        {isOpen && (
          <Palette
            query={query}
            onQuery={setQuery}
            groups={query === 'nothing' ? [] : shown}
            onChoose={(id, { maximised }) => chosen.push(`${id}${maximised ? ' maximised' : ''} ${document.activeElement?.textContent}`)}
            onClose={() => setOpen(false)}
          />
        )}
      </>
    );
  }
  show(<Opening />);
  return chosen;
}
const field = page.getByRole('combobox', { name: 'Search everything' });
const option = (name: string | RegExp) => page.getByRole('option', { name });
const openByKeys = async () => {
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(field).toHaveFocus();
};
/** What a screen reader takes for the active row. */
const active = () => document.getElementById(field.element().getAttribute('aria-activedescendant') ?? '')?.textContent;

test('the arrows walk through all groups and around, while the focus stays in the field', async () => {
  open();
  await openByKeys();
  expect(active()).toContain('Mortgage agreement');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toContain('Log out');
  await expect.element(option('Log out')).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowDown}');
  expect(active()).toContain('Mortgage agreement');
  await userEvent.keyboard('{ArrowUp}');
  expect(active()).toContain('Log out');
  await expect.element(field).toHaveFocus();
});

test('what is chosen happens when the palette is gone and the focus is back where it was', async () => {
  const chosen = open();
  await openByKeys();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => chosen).toEqual(['d2 Open']);
  await openAgain();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => chosen).toEqual(['d2 Open', 'd1 maximised Open']);
  await openAgain();
  await userEvent.click(option('Log out'));
  await expect.poll(() => chosen.at(-1)).toBe('a1 Open');
});
/** The focus is on the opener already. */
const openAgain = async () => {
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveFocus();
};

test('Escape closes it without doing anything', async () => {
  const chosen = open();
  await openByKeys();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus();
  expect(chosen).toEqual([]);
});

test('groups have names, letters that were asked for are marked, and nothing found says so', async () => {
  open();
  await openByKeys();
  await expect.element(page.getByRole('group', { name: 'Documents' }).getByRole('option').first()).toBeVisible();
  expect(
    option(/^Mortgage agreement/)
      .element()
      .querySelector('mark')?.textContent,
  ).toBe('Mortg');
  await userEvent.keyboard('nothing');
  await expect.element(page.getByText('Nothing found')).toBeVisible();
  await expect.element(field).toHaveAttribute('aria-expanded', 'false');
});
