import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { TextField } from './TextField.tsx';
import { show } from '#kit/render.fixture.tsx';

test('an error is read with its field', async () => {
  show(<TextField label="E-mail" error="Wrong email" />);
  const field = page.getByRole('textbox', { name: 'E-mail' });
  await expect.element(field).toHaveAccessibleDescription('Wrong email');
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
});
