import { alertLimits } from '@pergamin/contract';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { flushSync } from 'react-dom';
import { announce, Announcer } from './Announcer.tsx';
import { frame, show } from '#kit/render.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';
import { createToastQueue, Toasts } from './Toasts.tsx';

await freshTab('EN');
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number) => flushSync(() => vi.advanceTimersByTime(ms));

function showToasts() {
  const queue = createToastQueue();
  const host = show(<Toasts queue={queue} durationMs={5000} />);
  return { queue, host, add: (...message: Parameters<typeof queue.add>) => flushSync(() => queue.add(...message)) };
}
const point = (element: Element | null | undefined, type: 'over' | 'out') =>
  element?.dispatchEvent(new PointerEvent(`pointer${type}`, { bubbles: true, relatedTarget: document.body }));
const focus = (element: Element | null | undefined, type: 'in' | 'out') =>
  element?.dispatchEvent(new FocusEvent(`focus${type}`, { bubbles: true }));

test('a message goes after 5 000 ms', () => {
  const { queue, add } = showToasts();
  add({ tone: 'success', title: 'Saved' });
  pass(4999);
  expect(queue.list()).toHaveLength(1);
  pass(1);
  expect(queue.list()).toHaveLength(0);
});

test('a message with an action stays for 6 000 ms; the action runs once and takes it away', () => {
  const { queue, host, add } = showToasts();
  let undone = 0;
  add({ tone: 'info', title: 'Removed: 1.pdf', action: { label: 'Undo', run: () => (undone += 1) } });
  add({ tone: 'info', title: 'Removed: 1.pdf', action: { label: 'Undo', run: () => (undone += 10) } });
  expect(queue.list()).toHaveLength(2);
  pass(5999);
  flushSync(() => [...host.querySelectorAll('button')].find(({ textContent }) => textContent === 'Undo')?.click());
  expect([undone, queue.list().length]).toEqual([1, 1]);
  pass(1);
  expect(queue.list()).toHaveLength(0);
});

test('messages stand 72 px below the top', () => {
  const { host, add } = showToasts();
  add({ tone: 'success', title: 'Saved' });
  expect(host.querySelector('[data-region="messages"]')?.getBoundingClientRect().top).toBe(alertLimits.topMarginPx);
});

test('a message stays while it is pointed at or focused, and goes after what was left of its time', async () => {
  const { queue, host, add } = showToasts();
  add({ tone: 'info', title: 'New documents' });
  const toast = host.querySelector('[data-tone]');
  // By frames, not by polling: a poll would move the clock it waits beside.
  const paused = async (expected: boolean) => {
    while (toast?.hasAttribute('data-paused') !== expected) await frame();
  };
  pass(3000);
  point(toast, 'over');
  await paused(true);
  pass(60_000);
  expect(queue.list()).toHaveLength(1);
  point(toast, 'out');
  await paused(false);
  pass(1999);
  expect(queue.list()).toHaveLength(1);
  focus(toast, 'in');
  await paused(true);
  pass(60_000);
  expect(queue.list()).toHaveLength(1);
  focus(toast, 'out');
  await paused(false);
  pass(1000);
  expect(queue.list()).toHaveLength(0);
});

test('Escape closes the message that has the focus, which goes back to where it was', async () => {
  const { queue, host, add } = showToasts();
  const before = document.body.appendChild(document.createElement('button'));
  onTestFinished(() => before.remove());
  before.focus();
  add({ tone: 'info', title: 'First' });
  add({ tone: 'info', title: 'Second' });
  host.querySelector<HTMLElement>('[aria-label="Close this message: First"]')?.focus();
  // When the last press was a key, the browser shows the focus and the tooltip of the button, which goes first.
  for (let press = 0; press < 2; press += 1)
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  expect(queue.list().map(({ title }) => title)).toEqual(['Second']);
  await frame();
  expect(document.activeElement).toBe(before);
});

test('messages go to the bottom while they would hide what has the focus', async () => {
  const { host, add } = showToasts();
  const button = document.body.appendChild(document.createElement('button'));
  onTestFinished(() => button.remove());
  button.style.cssText = 'position: fixed; top: 84px; left: calc(50% - 20px); width: 40px; height: 24px';
  add({ tone: 'info', title: 'New documents' });
  const isLow = async (expected: boolean) => {
    while (host.querySelector('section')?.hasAttribute('data-low') !== expected) await frame();
    const message = host.querySelector('[data-tone]')?.getBoundingClientRect();
    const focused = button.getBoundingClientRect();
    return message !== undefined && (message.bottom <= focused.top || message.top >= focused.bottom);
  };
  button.focus();
  expect(await isLow(true)).toBe(true);
  button.style.top = '400px';
  button.blur();
  button.focus();
  expect(await isLow(false)).toBe(true);
});

test.each(['h2', 'input'] as const)('messages go to the bottom while they would lie over %s', async (name) => {
  const { host, add } = showToasts();
  const kept = document.body.appendChild(document.createElement(name));
  onTestFinished(() => kept.remove());
  kept.style.cssText = 'position: fixed; top: 90px; left: calc(50% - 60px); width: 120px; height: 30px; margin: 0';
  add({ tone: 'info', title: 'New documents' });
  while (host.querySelector('section')?.hasAttribute('data-low') !== true) await frame();
  const message = host.querySelector('[data-tone]')?.getBoundingClientRect();
  expect(message?.top).toBeGreaterThan(kept.getBoundingClientRect().bottom);
});

test('an error interrupts, other messages wait their turn, and each can be closed', () => {
  const { queue, host, add } = showToasts();
  add({ tone: 'error', title: 'Network Error' });
  add({ tone: 'warning', title: 'Almost full' });
  expect(host.querySelector('[role="alert"]')?.textContent).toContain('Network Error');
  expect(host.querySelector('[role="status"]')?.textContent).toContain('Almost full');
  flushSync(() => host.querySelector<HTMLElement>('[aria-label="Close this message: Network Error"]')?.click());
  expect(queue.list().map(({ title }) => title)).toEqual(['Almost full']);
});

test('the same message twice is shown once, and at most four are up', () => {
  const { queue, add } = showToasts();
  for (const title of ['a', 'a', 'b', 'c', 'd', 'e']) add({ tone: 'error', title });
  expect(queue.list().map(({ title }) => title)).toEqual(['b', 'c', 'd', 'e']);
});

test('saying the same thing twice changes the live region twice', () => {
  const host = show(<Announcer />);
  const polite = () => host.querySelector('[aria-live="polite"]')?.textContent;
  flushSync(() => announce('2 rows selected'));
  const first = polite();
  flushSync(() => announce('2 rows selected'));
  expect(first).toBe('2 rows selected');
  expect(polite()).not.toBe(first);
  expect(polite()?.trim()).toBe(first);
  flushSync(() => announce('Session ended', 'assertive'));
  expect(host.querySelector('[aria-live="assertive"]')?.textContent).toBe('Session ended');
});
