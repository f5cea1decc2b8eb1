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
