import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Button } from './Button.tsx';
import { show } from '#kit/render.fixture.tsx';

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

test('a disabled control explains itself to the eyes as well, on keyboard focus, until Escape', async () => {
  show(<Button disabledReason="Open the document first">Check</Button>);
  await userEvent.keyboard('{Tab}');
  const bubble = () => document.querySelector('[popover]')?.textContent;
  await expect.poll(bubble).toBe('Open the document first');
  await userEvent.keyboard('{Escape}');
  await expect.poll(bubble).toBeUndefined();
});
