import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { createMetrics } from '#platform/metrics/metrics.ts';
import { startTestPortal } from '#testing/test-portal.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
const [rules, dashboard, page] = await Promise.all(
  ['deploy/prometheus/alerts.yaml', 'deploy/grafana/pergamin.json', 'docs/alerts.md'].map(read),
);

const metricsIn = (text: string): readonly string[] => [...new Set(text.match(/\b(pergamin|nodejs|process)_[a-z0-9_]+/g))];

test('alert rules and dashboard ask only for metrics that a running portal exports', async () => {
  await using portal = await startTestPortal();
  const exported = await portal.metrics.registry.metrics();
  const known = new Set([...exported.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const asked = metricsIn(`${rules}${dashboard}`);
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
  expect(exported).toMatch(/^pergamin_jobs\{state="failed"\} 0$/m);
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
