import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readLastScrub } from '#features/documents/documents.door.ts';
import { alarmNames } from '#platform/log/alarms.ts';
import { createLog } from '#platform/log/log.ts';
import { createMetrics, type Metrics } from '#platform/metrics/metrics.ts';
import { freePort } from '#testing/free-port.ts';
import { startTestPortal } from '#testing/test-portal.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
const [rules, dashboard, page] = await Promise.all(
  ['deploy/prometheus/alerts.yaml', 'deploy/grafana/pergamin.json', 'docs/alerts.md'].map(read),
);

/** As Prometheus does. */
const scrape = async (metrics: Metrics): Promise<string> => {
  const port = await freePort();
  const close = await metrics.listen({ host: '127.0.0.1', port });
  try {
    return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  } finally {
    await close();
  }
};

const metricsIn = (text: string): readonly string[] => [...new Set(text.match(/\b(pergamin|nodejs|process)_[a-z0-9_]+/g))];

test('alert rules and dashboard ask only for metrics that a running portal exports', async () => {
  await using portal = await startTestPortal();
  const exported = await scrape(portal.metrics);
  const known = new Set([...exported.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const asked = metricsIn(`${rules}${dashboard}`);
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
  expect(exported).toMatch(/^pergamin_jobs\{state="failed"\} 0$/m);
  expect(exported).toMatch(/^pergamin_jobs_given_up_total\{job="webhooks:deliver"\} 0$/m);
  expect(exported).toMatch(/^pergamin_alarms_total\{alarm="ledger"\} 0$/m);
  expect(exported).toMatch(/^pergamin_notices_total\{channel="EMAIL",outcome="bounced"\} 0$/m);
  expect(exported).toMatch(/^pergamin_webhooks_total\{event="batch.finished",outcome="failed"\} 0$/m);
  expect(exported).toMatch(/^pergamin_database_connections\{state="waiting"\} 0$/m);
  expect(exported).toMatch(/^pergamin_disk_bytes\{what="free"\} [1-9]/m);
});

test('each alert has a section that says what to do, and no section is left without an alert', () => {
  const alerts = [...(rules ?? '').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect([...(page ?? '').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(alerts);
});

test('an alarm in the log is counted by its name, also one of a child logger; other lines are not', async () => {
  const metrics = createMetrics();
  const log = createLog('info', { write: () => {} }, (alarm) => metrics.countAlarm(alarm));
  log.error({ alarm: 'scrub' }, 'a document is damaged');
  log.child({ requestId: 'one' }).warn({ alarm: 'scrub' }, 'another one');
  log.warn('nothing of the kind');
  expect(await metrics.registry.metrics()).toContain('pergamin_alarms_total{alarm="scrub"} 2\n');
});

test('every alarm that the source can raise starts at zero and is explained to the operator', async () => {
  const source = new URL('../', import.meta.url);
  const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, source), 'utf8')));
  const raised = new Set(texts.flatMap((text) => [...text.matchAll(/\balarm: '([^']+)'/g)].map(([, name]) => name)));
  expect([...raised].toSorted()).toEqual([...alarmNames].toSorted());
  expect(alarmNames.filter((name) => !(page ?? '').includes(`\`${name}\``))).toEqual([]);
});

test('what the last scrub found outlives the process, and before the first one the time counts from when the database was made', async () => {
  await using portal = await startTestPortal();
  const endedIn = (text: string): number => Number(/^pergamin_scrub_ended_seconds (\S+)$/m.exec(text)?.[1]);
  const before = endedIn(await portal.metrics.registry.metrics());
  expect(before).toBeGreaterThan(Date.now() / 1_000 - 86_400);
  await portal.db
    .insertInto('scrub_round')
    .values({ ended_at: new Date(Date.now() + 5_000), read: 7, damaged: 1, unreadable: 0, disputed: 0, is_ledger_sound: false })
    .execute();
  const metrics = createMetrics();
  metrics.observeScrub(() => readLastScrub(portal.db));
  const told = await metrics.registry.metrics();
  expect(endedIn(told)).toBeGreaterThan(before);
  expect(told).toContain('pergamin_scrub_documents{what="damaged"} 1\n');
  expect(told).toContain('pergamin_scrub_ledger_sound 0\n');
});
