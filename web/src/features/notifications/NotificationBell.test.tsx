import { notificationLimits, sessionLimits, type Notification } from '@pergamin/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { frame, show } from '#kit/render.fixture.tsx';
import { on, type PortalEvents } from '#platform/events.ts';
import { answerFetch, freshTab, refusal, type Answers } from '#platform/page.fixture.tsx';
import { NotificationBell } from './NotificationBell.tsx';

const listPath = 'GET /api/protected/notifications/list';
const idOf = (number: number) => `6f1b7a32-0000-4000-8000-00000000000${number}`;
const readPath = (number: number) => `POST /api/protected/notifications/read/${idOf(number)}`;
const nothing = () => new Response(null, { status: 204 });
const notice = (number: number, more: Partial<Notification> = {}): Notification => ({
  id: idOf(number),
  type: 'publication',
  value: `6f1b7a32-0000-4000-9000-00000000000${number}`,
  name: `Agreement ${number}.pdf`,
  receiver: '10000001',
  timestamp: Date.UTC(2026, 10, 18, 8, 12, number),
  read: false,
  ...more,
});
/** The newest first, as the server answers. */
const list = (...numbers: readonly number[]) => ({ [listPath]: { items: numbers.map((number) => notice(number)) } });

const open = (answers: Answers) => {
  const asked = [answerFetch(answers)];
  const opened: Notification[] = [];
  const alerts: PortalEvents['alert'][] = [];
  const told: string[] = [];
  onTestFinished(on('alert', (alert) => alerts.push(alert)));
  onTestFinished(on('documentsPublished', () => void told.push('documentsPublished')));
  onTestFinished(on('accountUpdated', () => void told.push('accountUpdated')));
  show(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <NotificationBell onOpen={(notification) => opened.push(notification)} />
      <Announcer />
      <button type="button">Elsewhere</button>
    </QueryClientProvider>,
  );
  return {
    opened,
    alerts,
    told,
    answerNow: (next: Answers) => void asked.push(answerFetch(next)),
    lines: () => asked.flat().map(({ line }) => line),
  };
};
const bell = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const panel = page.getByRole('dialog', { name: 'Notifications' });
const row = (number: number) => page.getByRole('button', { name: new RegExp(`^Agreement ${number}`) });
const bin = (number: number) => page.getByRole('button', { name: `Remove notification: Agreement ${number}` });

beforeEach(() => freshTab('EN'));
afterEach(() => {
  vi.useRealTimers();
});

test('the bell counts what is unread, in its name too, and shows five of it at 74 px each', async () => {
  open(list(7, 6, 5, 4, 3, 2, 1));
  await userEvent.click(bell('Notifications: 7 unread'));
  await expect.poll(() => panel.element().contains(document.activeElement)).toBe(true);
  const items = panel.getByRole('listitem').elements();
  const box = panel.element().getBoundingClientRect();
  expect(items.map((item) => item.getBoundingClientRect().height)).toEqual(items.map(() => notificationLimits.itemHeightPx));
  expect(box.height).toBe(notificationLimits.menuMaxHeightPx);
  expect(items.filter((item) => item.getBoundingClientRect().bottom <= box.bottom)).toHaveLength(notificationLimits.visibleItems);
});

test('each says what it is about, what happened and when', async () => {
  open({ [listPath]: { items: [notice(2, { type: 'account_update', name: '', value: '10000001' }), notice(1)] } });
  await userEvent.click(bell('Notifications: 2 unread'));
  await expect.element(page.getByRole('button', { name: 'Agreement 1 new document published 2026-11-18, 09:12:01' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Account update personal data updated 2026-11-18, 09:12:02' })).toBeVisible();
});

test('one that is chosen is opened, marked read and gone; the focus is on the bell afterwards', async () => {
  const { opened, lines } = open({ ...list(2, 1), [readPath(2)]: nothing() });
  await userEvent.click(bell('Notifications: 2 unread'));
  await userEvent.click(row(2));
  expect(opened.map(({ value }) => value)).toEqual([notice(2).value]);
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(bell('Notifications: 1 unread')).toHaveFocus();
  await expect.poll(() => lines().filter((line) => line.startsWith('POST'))).toEqual([readPath(2)]);
});

test('by keys alone: open, walk, remove, close', async () => {
  open({ ...list(3, 2, 1), [readPath(3)]: nothing(), [readPath(2)]: nothing(), [readPath(1)]: nothing() });
  await expect.element(bell('Notifications: 3 unread')).toBeVisible();
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.poll(() => panel.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.element(row(2)).toHaveFocus();
  await userEvent.keyboard('{Home}{Delete}');
  await expect.element(bin(2)).toHaveFocus();
  await expect.element(page.getByRole('status')).toHaveTextContent('Notification removed');
  await userEvent.keyboard('{Enter}{Delete}');
  await expect.element(page.getByText('No notifications')).toBeVisible();
  expect(panel.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(bell('Notifications')).toHaveFocus();
});

test('the panel closes when the focus moves on', async () => {
  open(list(1));
  await userEvent.click(bell('Notifications: 1 unread'));
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  await userEvent.keyboard('{Tab}{Tab}{Tab}{Tab}');
  await expect.element(page.getByRole('button', { name: 'Elsewhere' })).toHaveFocus();
  await expect.element(panel).not.toBeInTheDocument();
});

test('what the server refuses to remove comes back, and the person is told', async () => {
  const { alerts } = open({ ...list(2, 1), [readPath(2)]: refusal(500, 'INTERNAL_SERVER_ERROR') });
  await userEvent.click(bell('Notifications: 2 unread'));
  await userEvent.click(bin(2));
  await expect.poll(() => alerts).toEqual([{ tone: 'error', title: 'Sorry, there was a problem. Please try again later' }]);
  await expect.element(row(2)).toBeVisible();
});

test('one that was removed elsewhere meanwhile is simply gone', async () => {
  const { alerts } = open({ ...list(2, 1), [readPath(2)]: refusal(404, 'RESOURCE_NOT_FOUND') });
  await userEvent.click(bell('Notifications: 2 unread'));
  await userEvent.click(bin(2));
  await expect.element(bell('Notifications: 1 unread')).toBeInTheDocument();
  expect(alerts).toEqual([]);
});

test('clear all marks each one read', async () => {
  const { lines } = open({ ...list(3, 2, 1), [readPath(1)]: nothing(), [readPath(2)]: nothing(), [readPath(3)]: nothing() });
  await userEvent.click(bell('Notifications: 3 unread'));
  await userEvent.click(page.getByRole('button', { name: 'clear all' }));
  await expect.element(page.getByText('No notifications')).toBeVisible();
  await expect
    .poll(() =>
      lines()
        .filter((line) => line.startsWith('POST'))
        .toSorted(),
    )
    .toEqual([1, 2, 3].map(readPath));
});

test('news come every 30 s, are told, and have the lists read again; what is old already is no news', async () => {
  await userEvent.keyboard('a');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { alerts, told, answerNow, lines } = open(list(2));
  await expect.element(bell('Notifications: 1 unread')).toBeVisible();
  expect(alerts).toEqual([]);
  answerNow({ [listPath]: { items: [notice(4, { type: 'account_update', value: '10000001' }), notice(3), notice(2), notice(1)] } });
  vi.advanceTimersByTime(notificationLimits.refreshMs - 1_000);
  await frame();
  expect(lines()).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  await expect.element(bell('Notifications: 4 unread')).toBeVisible();
  expect(alerts.map(({ title }) => title)).toEqual(['new documents available', 'personal data updated']);
  expect(told).toEqual(['documentsPublished', 'accountUpdated']);
});

test('lists are not read again while the page is hidden, but as soon as it is shown', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { alerts, told, answerNow } = open(list(1));
  await expect.element(bell('Notifications: 1 unread')).toBeVisible();
  const [now, gone] = [performance.now.bind(performance), sessionLimits.slideWriteEveryMs + 1_000];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + gone);
  onTestFinished(() => clock.mockRestore());
  answerNow(list(2, 1));
  vi.advanceTimersByTime(notificationLimits.refreshMs);
  await expect.element(bell('Notifications: 2 unread')).toBeVisible();
  expect(alerts).toHaveLength(1);
  expect(told).toEqual([]);
  await userEvent.keyboard('a');
  expect(told).toEqual(['documentsPublished']);
});

test('a hidden page does not ask; shown again, it asks at once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { lines } = open(list(1));
  await expect.element(bell('Notifications: 1 unread')).toBeVisible();
  const look = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  onTestFinished(() => look.mockRestore());
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  vi.advanceTimersByTime(3 * notificationLimits.refreshMs);
  await frame();
  expect(lines()).toHaveLength(1);
  look.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  await expect.poll(lines).toHaveLength(2);
});

test('a list that cannot be loaded can be asked for again', async () => {
  const { answerNow } = open({ [listPath]: refusal(503, 'STORAGE_ERROR') });
  await userEvent.click(bell('Notifications'));
  await expect.element(page.getByText('The notifications could not be loaded')).toBeVisible();
  answerNow(list(1));
  await userEvent.click(page.getByRole('button', { name: 'Try again' }));
  await expect.element(row(1)).toBeVisible();
});
