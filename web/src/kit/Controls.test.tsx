import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { MenuButton } from './MenuButton.tsx';
import { show } from './render.fixture.tsx';
import { Select } from './Select.tsx';
import { Splitter } from './Splitter.tsx';
import { TextField } from './TextField.tsx';

test('a busy button keeps its name and the focus, and cannot be pressed twice', async () => {
  const onClick = vi.fn<() => void>();
  show(
    <Button busy onClick={onClick}>
      Save
    </Button>,
  );
  const button = page.getByRole('button', { name: 'Save' });
  const element = button.element();
  if (element instanceof HTMLElement) element.focus();
  await userEvent.keyboard('{Enter}');
  expect(onClick).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(element);
});

test('a busy button does not send its form', async () => {
  const onSubmit = vi.fn<(event: { preventDefault: () => void }) => void>((event) => event.preventDefault());
  show(
    <form onSubmit={onSubmit}>
      <Button type="submit" busy>
        Send
      </Button>
    </form>,
  );
  await page.getByRole('button', { name: 'Send' }).click({ force: true });
  expect(onSubmit).not.toHaveBeenCalled();
});

test('an error takes the place of the hint and is read with its field', async () => {
  show(<TextField label="E-mail" hint="As in your agreement" error="Wrong email" />);
  const field = page.getByRole('textbox', { name: 'E-mail' });
  await expect.element(field).toHaveAccessibleDescription('Wrong email');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  expect(page.getByText('As in your agreement').query()).toBeNull();
});

test('a disabled control explains itself to the eyes as well, on keyboard focus, until Escape', async () => {
  show(<Button disabledReason="Open the document first">Check</Button>);
  await userEvent.keyboard('{Tab}');
  const bubble = () => document.querySelector('[popover]')?.textContent;
  await expect.poll(bubble).toBe('Open the document first');
  await userEvent.keyboard('{Escape}');
  await expect.poll(bubble).toBeUndefined();
});

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
    { id: 'b', label: 'Konstantynopolitańczykowianeczkównatychmiast', icon: 'eye' as const, count: 12 },
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

test('a select is named by its label and shows what was chosen', async () => {
  function Choosing() {
    const [value, setValue] = useState<string>('month');
    return (
      <Select
        label="Period"
        value={value}
        onChange={setValue}
        options={[
          { id: 'month', label: 'Last month' },
          { id: 'year', label: 'This year' },
        ]}
      />
    );
  }
  show(<Choosing />);
  await page.getByRole('button', { name: 'Last month Period' }).click();
  await page.getByRole('option', { name: 'This year' }).click();
  await expect.element(page.getByRole('button', { name: 'This year Period' })).toBeInTheDocument();
});

test('a dialog holds the focus and gives it back', async () => {
  function Asking() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <Button onClick={() => setOpen(true)}>Reset</Button>
        {open && (
          <Dialog title="Reset the password?" onClose={() => setOpen(false)} foot={<Button onClick={() => setOpen(false)}>Cancel</Button>}>
            <TextField label="Id" />
          </Dialog>
        )}
      </>
    );
  }
  show(<Asking />);
  const opener = page.getByRole('button', { name: 'Reset' }).element();
  await page.getByRole('button', { name: 'Reset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset the password?' });
  await expect.element(dialog).toBeInTheDocument();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Tab}{Tab}{Tab}');
  expect(dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.activeElement).toBe(opener);
});

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
