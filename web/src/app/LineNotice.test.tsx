import { onlineManager, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { getSelf } from '@pergamin/contract';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { call } from '#platform/api.ts';
import { answerFetch, freshTab, show } from '#platform/page.fixture.tsx';
import { LineNotice } from './LineNotice.tsx';
import { createQueryClient } from './query-client.ts';

const path = 'GET /api/protected/account/self/info';
/** Seconds pass before a question is asked again, or its answer is said to be awaited: the test lets them pass. */
const holdTheClock = () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms: number) => vi.advanceTimersByTimeAsync(ms);
};

function Asking() {
  const { data, error } = useQuery({ queryKey: ['asked'], queryFn: ({ signal }) => call(getSelf, { signal }) });
  if (error !== null) return <p>refused</p>;
  return <p>{data === undefined ? 'asking' : data.personalId}</p>;
}

const open = (): void => {
  show(
    <QueryClientProvider client={createQueryClient()}>
      <Announcer />
      <LineNotice />
      <Asking />
    </QueryClientProvider>,
  );
};
const paragraph = (hasText: string) => page.getByRole('paragraph').filter({ hasText });
const status = (hasText: string) => page.getByRole('status').filter({ hasText });
const notice = () => paragraph('No connection. What you asked for');

beforeEach(() => freshTab('EN'));

test('without a line what was asked for says so, and comes by itself when the line is back', async () => {
  answerFetch({ [path]: { personalId: '10000001' } });
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  open();
  await expect.element(notice()).toBeVisible();
  await expect.element(page.getByRole('region', { name: /^No connection\./ })).toBeVisible();
  await expect.element(status('No connection.')).toBeInTheDocument();
  await expect.element(page.getByText('asking')).toBeVisible();
  dispatchEvent(new Event('online'));
  await expect.element(page.getByText('10000001')).toBeVisible();
  expect(notice().query()).toBeNull();
  await expect.element(status('The connection is back')).toBeInTheDocument();
});

test('a line that fails unnoticed by the browser is tried again until there is an answer, and told once', async () => {
  const failures = answerFetch({ [path]: new TypeError('Failed to fetch') });
  const told: string[] = [];
  const pass = holdTheClock();
  open();
  await expect.element(page.getByRole('status')).toBeInTheDocument();
  const region = page.getByRole('status').element();
  const observer = new MutationObserver(() => told.push(region.textContent));
  observer.observe(region, { subtree: true, childList: true, characterData: true });
  onTestFinished(() => observer.disconnect());
  const askedAgain = async (): Promise<number> => {
    await pass(1_000);
    return failures.length;
  };
  await expect.poll(askedAgain).toBeGreaterThan(2);
  await expect.element(notice()).toBeVisible();
  answerFetch({ [path]: { personalId: '10000001' } });
  await expect
    .poll(async () => {
      await pass(1_000);
      return page.getByText('10000001').query();
    })
    .toBeVisible();
  await expect.poll(() => told).toEqual([expect.stringContaining('No connection.'), 'The connection is back']);
});

test('an answer that does not come for seconds is said to be awaited', async () => {
  const answer = Promise.withResolvers<object>();
  answerFetch({ [path]: answer.promise });
  const pass = holdTheClock();
  open();
  await expect.element(page.getByText('asking')).toBeVisible();
  const slow = paragraph('This is taking longer than usual');
  expect(slow.query()).toBeNull();
  await expect
    .poll(async () => {
      await pass(1_000);
      return slow.query();
    })
    .toBeVisible();
  answer.resolve({ personalId: '10000001' });
  vi.useRealTimers();
  await expect.element(page.getByText('10000001')).toBeVisible();
  expect(slow.query()).toBeNull();
});

test('a refusal is shown in its own place, and is nothing of the line', async () => {
  answerFetch({ [path]: new Response('{}', { status: 500 }) });
  open();
  await expect.element(page.getByText('refused')).toBeVisible();
  expect(notice().query()).toBeNull();
});
