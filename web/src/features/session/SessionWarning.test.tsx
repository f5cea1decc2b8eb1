import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { joinTabs } from '#platform/cross-tab.ts';
import { takeLastError } from '#platform/last-error.ts';
import { currentSession, currentToken, storeFromResponse, storeSession } from '#platform/session-token.ts';
import { answerFetch, freshTab, refusal, show, tokenFor } from '#platform/page.fixture.tsx';
import { SessionWarning } from './SessionWarning.tsx';

const anna = tokenFor('10000001');
const endIn = (ms: number) => storeSession({ token: anna, expiresAtEpochMs: Date.now() + ms });

const showWarning = (): string[] => {
  const ended: string[] = [];
  show(
    <>
      <Announcer />
      <SessionWarning onEnd={() => ended.push(currentToken() ?? 'cleared')} />
    </>,
  );
  return ended;
};
const warning = () => page.getByRole('region', { name: 'Koniec sesji' });
const said = () => page.getByRole('alert').first();
const extend = () => page.getByRole('button', { name: 'Przedłuż sesję' });
const longer = () =>
  new Response(null, {
    status: 204,
    headers: { authorization: tokenFor('10000001'), 'auth-expired-epoch': String(Date.now() + 900_000) },
  });

beforeEach(async () => {
  await freshTab('PL');
  // The announcer and the server's clock outlive a test.
  storeFromResponse(new Headers({ date: new Date().toUTCString() }));
});

/** The hands of the clock are the test's; what is checked every half second stays real. */
const stopTheClock = () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const began = Date.now();
  return { pass: (ms: number) => vi.setSystemTime(began + ms) };
};

test('nothing is shown while more than ninety seconds are left, and the server is never asked by a clock', async () => {
  const clock = stopTheClock();
  endIn(120_000);
  const asked = answerFetch({});
  showWarning();
  await expect.element(said()).toBeInTheDocument();
  clock.pass(29_000);
  expect(warning().elements()).toEqual([]);
  clock.pass(30_000);
  await expect.element(warning().getByText('Sesja wygaśnie za')).toBeVisible();
  await expect.element(page.getByRole('timer')).toHaveTextContent('1:30');
  clock.pass(111_000);
  await expect.element(page.getByRole('timer')).toHaveTextContent('0:09');
  expect(asked).toEqual([]);
});

test('it is said when it appears and once more at thirty seconds, not every second', async () => {
  const clock = stopTheClock();
  endIn(90_000);
  showWarning();
  await expect.element(said()).toHaveTextContent('Sesja wygaśnie za 90 sekund');
  for (const [passed, shown, heard] of [
    [15_000, '1:15', 90],
    [59_000, '0:31', 90],
    [60_000, '0:30', 30],
    [75_000, '0:15', 30],
  ] as const) {
    clock.pass(passed);
    await expect.element(page.getByRole('timer')).toHaveTextContent(shown);
    await expect.element(said()).toHaveTextContent(`Sesja wygaśnie za ${heard} sekund`);
  }
});

test('a refresh hides the warning and keeps the new token', async () => {
  endIn(60_000);
  const asked = answerFetch({ 'POST /api/auth/refresh': longer() });
  showWarning();
  await userEvent.click(extend());
  await expect.element(warning()).not.toBeInTheDocument();
  expect(asked.map(({ line }) => line)).toEqual(['POST /api/auth/refresh']);
  expect(asked[0]?.request.headers.get('authorization')).toBe(anna);
  expect(currentToken()).not.toBe(anna);
});

test('a refresh that fails keeps the warning and says why', async () => {
  endIn(60_000);
  answerFetch({ 'POST /api/auth/refresh': new TypeError('Failed to fetch') });
  showWarning();
  await userEvent.click(extend());
  await expect.element(warning().getByText('Błąd sieci')).toBeVisible();
  await expect.element(extend()).toBeEnabled();
  answerFetch({ 'POST /api/auth/refresh': refusal(429, 'CALL_NOT_PERMITTED', { headers: { 'retry-after': '5' } }) });
  await userEvent.click(extend());
  await expect.element(warning().getByText('Zbyt wiele prób. Spróbuj ponownie za 5 sekund')).toBeVisible();
});

test('an open dialog does not shut the warning off, and stays open', async () => {
  const clock = stopTheClock();
  endIn(120_000);
  answerFetch({ 'POST /api/auth/refresh': longer() });
  showWarning();
  await expect.element(said()).toBeInTheDocument();
  const closed: string[] = [];
  show(
    <Dialog title="Zmień hasło" onClose={() => closed.push('closed')}>
      <input aria-label="Stare hasło" />
    </Dialog>,
  );
  await expect.element(page.getByRole('dialog')).toBeVisible();
  clock.pass(60_000);
  await userEvent.click(extend());
  await expect.element(warning()).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(closed).toEqual([]);
});

test('a refresh in another tab hides the warning here', async () => {
  onTestFinished(joinTabs());
  endIn(60_000);
  showWarning();
  await expect.element(warning()).toBeVisible();
  const sibling = new BroadcastChannel('portal-auth');
  onTestFinished(() => sibling.close());
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  sibling.postMessage({ type: 'session', token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000, sinceMs: Date.now() });
  await expect.element(warning()).not.toBeInTheDocument();
});

test('at the end everything is cleared first, then the customer leaves, and the next page says why', async () => {
  endIn(-1);
  const ended = showWarning();
  await expect.poll(() => ended).toEqual(['cleared']);
  expect(currentSession()).toBeUndefined();
  expect(takeLastError()).toBe('session.noLongerActive');
  expect(takeLastError()).toBeUndefined();
});

test('a tab that slept over the end goes on when another tab knows of a later one', async () => {
  onTestFinished(joinTabs());
  const sibling = new BroadcastChannel('portal-auth');
  onTestFinished(() => sibling.close());
  sibling.addEventListener('message', (event: MessageEvent<{ type?: string }>) => {
    if (event.data.type !== 'ask') return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
    sibling.postMessage({ type: 'session', token: anna, expiresAtEpochMs: Date.now() + 900_000, sinceMs: 0 });
  });
  endIn(-1);
  const ended = showWarning();
  await expect.poll(() => currentSession()?.expiresAtEpochMs ?? 0).toBeGreaterThan(Date.now() + 800_000);
  await expect.element(warning()).not.toBeInTheDocument();
  expect(ended).toEqual([]);
  expect(currentToken()).toBe(anna);
});
