import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { showDesktop } from './desktop.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';

beforeEach(() => freshTab('EN'));

beforeEach(() => page.viewport(1280, 800));

test('the button of the bar fills the screen with the portal, and gives it back', async () => {
  let full: Element | null = null;
  const change = (element: Element | null) => () => {
    full = element;
    document.dispatchEvent(new Event('fullscreenchange'));
    return Promise.resolve();
  };
  // The browser of the tests is not asked for its screen; everything else is the product's own.
  const stubs = [
    vi.spyOn(document, 'fullscreenElement', 'get').mockImplementation(() => full),
    vi.spyOn(document, 'fullscreenEnabled', 'get').mockReturnValue(true),
    vi.spyOn(document.documentElement, 'requestFullscreen').mockImplementation(change(document.documentElement)),
    vi.spyOn(document, 'exitFullscreen').mockImplementation(change(null)),
  ];
  onTestFinished(() => {
    for (const stub of stubs) stub.mockRestore();
  });
  showDesktop();
  await userEvent.click(page.getByRole('button', { name: 'Full screen', exact: true }));
  expect(full).toBe(document.documentElement);
  await userEvent.click(page.getByRole('button', { name: 'Exit full screen' }));
  expect(full).toBe(null);
  await expect.element(page.getByRole('button', { name: 'Full screen', exact: true })).toBeVisible();
});
