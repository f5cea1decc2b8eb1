import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MenuButton } from './MenuButton.tsx';
import { show } from '#kit/render.fixture.tsx';

test('a menu opens by the arrow key, is walked through by keys, and gives the focus back before it acts', async () => {
  const seen: (Element | null)[] = [];
  const onAction = vi.fn<(id: string) => void>(() => {
    seen.push(document.activeElement);
  });
  show(
    <MenuButton
      entries={[
        { id: 'password', label: 'Change password' },
        { id: 'blocked', label: 'Verify', disabledReason: 'Not yet' },
        { separator: 'end' },
        { id: 'logout', label: 'Log out' },
      ]}
      onAction={onAction}
    >
      Account
    </MenuButton>,
  );
  await userEvent.keyboard('{Tab}{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Change password' })).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name: 'Verify' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect(onAction).not.toHaveBeenCalled();
  await userEvent.keyboard('{End}{Enter}');
  await expect.poll(() => onAction.mock.calls).toEqual([['logout']]);
  expect(seen).toEqual([page.getByRole('button', { name: 'Account' }).element()]);
});

test('a menu opened by Enter has the focus on its first entry, the second time too', async () => {
  show(
    <MenuButton entries={[{ id: 'a', label: 'First' }]} onAction={() => undefined}>
      Menu
    </MenuButton>,
  );
  const button = page.getByRole('button', { name: 'Menu' });
  await userEvent.tab();
  for (const _ of ['once', 'again', 'and again']) {
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('menuitem', { name: 'First' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(button).toHaveFocus();
  }
});

test('Escape closes a menu without acting', async () => {
  const onAction = vi.fn<(id: string) => void>();
  show(
    <MenuButton entries={[{ id: 'a', label: 'First' }]} onAction={onAction}>
      Menu
    </MenuButton>,
  );
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect.element(page.getByRole('menu')).toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => page.getByRole('menu').query()).toBeNull();
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'Menu' }).element());
  expect(onAction).not.toHaveBeenCalled();
});

test('with text twice as large a menu is read without scrolling sideways, however long its words', async () => {
  document.documentElement.style.fontSize = '200%';
  onTestFinished(() => void document.documentElement.style.removeProperty('font-size'));
  const entries = [
    { id: 'a', label: 'Verify documents by their checksum', icon: 'seal-check' as const, keys: 'V' },
    { id: 'b', label: 'Konstantynopolitańczykowianeczkównatychmiast', icon: 'eye' as const },
  ];
  show(
    <MenuButton entries={entries} onAction={() => undefined}>
      Menu
    </MenuButton>,
  );
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('menu', { name: 'Menu' });
  await expect.element(menu).toBeVisible();
  const { scrollWidth = 0, clientWidth = 0 } = menu.element().parentElement ?? {};
  expect(clientWidth).toBeGreaterThan(360);
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});
