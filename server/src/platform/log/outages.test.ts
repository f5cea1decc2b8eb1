import { beforeEach, expect, test } from 'vitest';
import { createMetrics } from '#platform/metrics/metrics.ts';
import { createLog } from './log.ts';
import { createOutages } from './outages.ts';

let lines: Record<string, unknown>[] = [];
const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });

beforeEach(() => {
  lines = [];
});

test('an outage is a line when it begins and one when it is over, with how many failures, and the next one is another', () => {
  const outage = createOutages({ log, calmMs: 0 }).of('mail');
  expect(outage.worked()).toBe(false);
  for (let time = 0; time < 50; time += 1) outage.failed(new Error('no answer'));
  expect(outage.worked()).toBe(true);
  expect(outage.worked()).toBe(false);
  outage.failed(new Error('again'));
  expect(lines).toMatchObject([
    { level: 50, outage: 'mail', reason: 'Error: no answer' },
    { level: 40, outage: 'mail', failures: 50, seconds: 0 },
    { level: 50, outage: 'mail', reason: 'Error: again' },
  ]);
});

test('what fails again within a second after it has worked is the same outage', async () => {
  const outage = createOutages({ log, calmMs: 50 }).of('database');
  for (let time = 0; time < 20; time += 1) {
    outage.failed(new Error('broken'));
    outage.worked();
  }
  expect(lines).toHaveLength(1);
  await expect.poll(() => lines.length, { timeout: 5_000 }).toBe(2);
  expect(lines[1]).toMatchObject({ failures: 20 });
});

test('a line with an error of an outage is not written, nor one with an error that it has caused, and its alarm is not counted', () => {
  const counted: string[] = [];
  const counting = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }, (alarm) => void counted.push(alarm));
  const error = new Error('no answer');
  createOutages({ log: counting, calmMs: 0 }).of('objects').failed(error);
  counting.error({ err: error }, 'call failed');
  counting.child({ requestId: 'one' }).error({ alarm: 'unreadable', err: new Error('cannot be read', { cause: error }) }, 'not read');
  counting.error({ err: new Error('no answer') }, 'another error');
  counting.info({ err: error }, 'details');
  expect(lines.map(({ msg }) => msg)).toEqual([expect.stringContaining('an outage begins'), 'another error', 'details']);
  expect(counted).toEqual([]);
});

test('errors that only one thing makes are its own while it is away, and speak for themselves when it is back', () => {
  const outage = createOutages({ log, calmMs: 0 }).of('database', {
    isOf: (error) => error instanceof Error && error.message === 'of the database',
  });
  const tell = (): void => log.error({ err: new Error('of the database') }, 'call failed');
  tell();
  outage.failed(new Error('refused'));
  tell();
  outage.worked();
  tell();
  expect(lines.map(({ msg }) => msg).filter((msg) => msg === 'call failed')).toHaveLength(2);
});

test('what breaks after the stop began is no outage', () => {
  const outages = createOutages({ log, calmMs: 0 });
  const outage = outages.of('database');
  outages.close();
  outage.failed(new Error('Connection terminated'));
  expect(lines).toEqual([]);
});

test('each of several services has an outage of its own, in the log and as a metric', async () => {
  const outages = createOutages({ log, calmMs: 0 });
  const metrics = createMetrics();
  metrics.observeOutages(() => outages.standing());
  outages.of('witness', { which: 'one' }).failed(new Error('no answer'));
  outages.of('witness', { which: 'two' }).worked();
  expect(lines).toMatchObject([{ outage: 'witness', which: 'one' }]);
  const told = await metrics.registry.metrics();
  expect(told).toContain('pergamin_outage{of="witness",which="one"} 1\n');
  expect(told).toContain('pergamin_outage{of="witness",which="two"} 0\n');
});
