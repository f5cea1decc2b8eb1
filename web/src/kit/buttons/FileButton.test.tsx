import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { FileButton } from './FileButton.tsx';

const field = (host: HTMLElement): HTMLInputElement => {
  const input = host.querySelector('input');
  if (input === null) throw new Error('there is no field for files');
  return input;
};

test('the same file can be chosen twice in a row', async () => {
  const chosen: string[] = [];
  const host = show(<FileButton label="Add file" accept=".pdf" onFiles={(files) => chosen.push(...files.map(({ name }) => name))} />);
  const file = new File(['%PDF-'], 'statement.pdf', { type: 'application/pdf' });
  await userEvent.upload(field(host), file);
  await userEvent.upload(field(host), file);
  expect(chosen).toEqual(['statement.pdf', 'statement.pdf']);
});

test('a file button that is disabled opens no dialog and says why', async () => {
  let opened = 0;
  const host = show(<FileButton label="Add file" disabledReason="Today’s limit has been reached" onFiles={() => undefined} />);
  field(host).addEventListener('click', (event) => {
    opened += 1;
    event.preventDefault();
  });
  const button = page.getByRole('button', { name: 'Add file' });
  await button.click({ force: true });
  await expect.element(button).toHaveAccessibleDescription('Today’s limit has been reached');
  expect(opened).toBe(0);
});
