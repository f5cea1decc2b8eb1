import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Button } from '#kit/buttons/Button.tsx';
import { Dialog } from './Dialog.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { show } from '#kit/render.fixture.tsx';

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

test('the words of a dialog stay where they are when a scroll bar takes room beside them', async () => {
  show(
    <Dialog title="Files" onClose={() => undefined}>
      <Button>More</Button>
    </Dialog>,
  );
  const more = page.getByRole('button', { name: 'More' });
  await expect.element(more).toBeVisible();
  const placeOf = () => {
    const { left, width } = more.element().getBoundingClientRect();
    return { left, width };
  };
  const before = placeOf();
  const scrolled = page.getByRole('dialog').element().parentElement;
  // Scroll bars of this browser lie over the page: a border takes the room of one.
  if (scrolled !== null) scrolled.style.borderInlineEndWidth = '13px';
  expect(scrolled?.clientWidth).toBe(440 - 1 - 13);
  expect(placeOf()).toEqual(before);
});
