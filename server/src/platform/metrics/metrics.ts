import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { channelId, webhookTypes, type WebhookType } from '@pergamin/contract';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LockLevel } from '#platform/objects/lock-level.ts';
import type { Renditions, RenditionsUsage } from '#platform/renditions/renditions.ts';
import { alarmNames } from '#platform/log/alarms.ts';
import { observeDisks } from './disk-metrics.ts';
import { observeLedger, type ObservedLedger } from './ledger-metrics.ts';
import { observeMail, observeNotices } from './mail-metrics.ts';
import { type Observed, observeOperations } from './operations-metrics.ts';
import { observeOutages } from './outage-metrics.ts';
import { type LastScrub, observeScrub } from './scrub-metrics.ts';

const signInOutcomes = ['done', 'refused', 'unreachable'] as const;
type SignInOutcome = (typeof signInOutcomes)[number];

export type Metrics = ReturnType<typeof createMetrics>;

/** U4: the metrics of one process, in the text format of Prometheus. */
export const createMetrics = () => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { durations, pdfTasks, refusedKeys, webhooks, notices, givenUpJobs, alarms, signIns } = createCounters(registry);
  const own = new Set(registry.getMetricsAsArray().map(({ name }) => name));
  return {
    registry,
    ...observersOf(registry),
    /** Times every call by route and status; routes, not addresses, so that ids never become labels. */
    observe(server: FastifyInstance): void {
      server.addHook('onResponse', (request, reply, done) => {
        durations.observe(
          { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
          reply.elapsedTime / 1_000,
        );
        done();
      });
    },
    countRefusedKey(reason: 'missing' | 'unknown' | 'revoked' | 'expired' | 'scope'): void {
      refusedKeys.inc({ reason });
    },
    /** The log calls it for each entry with an alarm. */
    countAlarm(alarm: string): void {
      alarms.inc({ alarm });
    },
    /** `retried`: it failed, and is tried again. */
    countWebhook(event: WebhookType, outcome: 'delivered' | 'retried' | 'failed'): void {
      webhooks.inc({ event, outcome });
    },
    /** `failed`: not sent, and not tried again; `bounced`: taken, and not delivered. */
    countNotice(channel: string, outcome: 'sent' | 'failed' | 'bounced'): void {
      notices.inc({ channel, outcome });
    },
    /** `unreachable`: the service was away. */
    countSignIn: (service: string, outcome: SignInOutcome): void => signIns.inc({ service, outcome }),
    expectSignIns(services: readonly string[]): void {
      for (const service of services) for (const outcome of signInOutcomes) signIns.inc({ service, outcome }, 0);
    },
    countGivenUpJob: (job: string): void => givenUpJobs.inc({ job }),
    /** Each job has its series from the start, so that the first one given up shows as an increase. */
    expectJobs(names: readonly string[]): void {
      for (const job of names) givenUpJobs.inc({ job }, 0);
    },
    /** Without the time that a task waited for its thread. */
    timePdfTask(kind: string, ms: number): void {
      pdfTasks.observe({ kind }, ms / 1_000);
    },
    /** Of a start that broke off, so that it can be tried again: what its parts observe is not read any more. */
    forgetObserved(): void {
      for (const { name } of registry.getMetricsAsArray()) if (!own.has(name)) registry.removeSingleMetric(name);
    },
    /** What keeps objects from being removed, as the start has found it. */
    observeLocks: (locks: ObservedLocks): void => observeLocks(registry, locks),
    /** `/metrics` on a port of its own, for the operator's network only. Resolves to the function that closes it. */
    listen: (address: Address, answerOther?: AnswerOther): Promise<() => Promise<void>> => listen(registry, address, answerOther),
  };
};

interface Address {
  readonly host: string;
  readonly port: number;
}

/** False for a path that it leaves to others. */
type AnswerOther = (path: string, response: ServerResponse) => boolean;

const listen = async (registry: Registry, address: Address, answerOther: AnswerOther = () => false): Promise<() => Promise<void>> => {
  const server = createServer((request, response) => {
    if (!answerOther(request.url?.split('?', 1)[0] ?? '', response)) void answer(registry, request, response);
  }).listen(address);
  await once(server, 'listening');
  return async () => {
    server.closeAllConnections();
    await promisify(server.close.bind(server))();
  };
};

/** What is read when the metrics are. */
const observersOf = (registry: Registry) => ({
  /** What page images and texts take of the disk, and what was removed so that they stay within their limit. */
  observeRenditions: (renditions: Pick<Renditions, 'usage'>): void => observeRenditions(registry, renditions),
  /** How far the ledger and its witnesses are behind, and whether it goes on. */
  observeLedger: (observed: ObservedLedger): void => observeLedger(registry, observed),
  observeDisks: (look: Parameters<typeof observeDisks>[1]): void => observeDisks(registry, look),
  observeMail: (observed: Parameters<typeof observeMail>[1]): void => observeMail(registry, observed),
  observeNotices: (list: Parameters<typeof observeNotices>[1]): void => observeNotices(registry, list),
  observeOutages: (list: Parameters<typeof observeOutages>[1]): void => observeOutages(registry, list),
  observeOperations: (observed: Observed): void => observeOperations(registry, observed),
  observeScrub: (readLast: () => Promise<LastScrub>): void => observeScrub(registry, readLast),
});

/** What is counted as it happens; gauges are read when the metrics are. */
const createCounters = (registry: Registry) => {
  const durations = new Histogram({
    name: 'pergamin_call_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const refusedKeys = new Counter({
    name: 'pergamin_publisher_keys_refused_total',
    help: 'Calls with a publisher key that was missing, unknown, revoked or expired, or without the scope of the call',
    labelNames: ['reason'],
    registers: [registry],
  });
  const webhooks = new Counter({
    name: 'pergamin_webhooks_total',
    help: 'Attempts to tell the organisation’s system of an event, by what came of them',
    labelNames: ['event', 'outcome'],
    registers: [registry],
  });
  const alarms = new Counter({
    name: 'pergamin_alarms_total',
    help: 'Entries of the log with an alarm, by its name; docs/alerts.md says what to do',
    labelNames: ['alarm'],
    registers: [registry],
  });
  const pdfTasks = new Histogram({
    name: 'pergamin_pdf_seconds',
    help: 'Time to draw, inspect or read one page or file in a thread, without its wait for the thread',
    labelNames: ['kind'],
    buckets: [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const notices = new Counter({
    name: 'pergamin_notices_total',
    help: 'Notices by channel and by what became of them: sent, failed, bounced. Withdrawn ones are not counted',
    labelNames: ['channel', 'outcome'],
    registers: [registry],
  });
  const givenUpJobs = new Counter({
    name: 'pergamin_jobs_given_up_total',
    help: 'Jobs that this process gave up after their last attempt',
    labelNames: ['job'],
    registers: [registry],
  });
  const signIns = new Counter({
    name: 'pergamin_sign_ins_total',
    help: 'Sign-ins by identity service and by what became of them: done, refused, or unreachable (the service was away)',
    labelNames: ['service', 'outcome'],
    registers: [registry],
  });
  startAtZero({ webhooks, notices, alarms });
  return { durations, pdfTasks, refusedKeys, webhooks, notices, givenUpJobs, alarms, signIns };
};

/** A series that first appears at 1 shows no increase: the first event after a start would raise no alert. */
const startAtZero = ({ webhooks, notices, alarms }: Record<'webhooks' | 'notices' | 'alarms', Counter>): void => {
  for (const event of webhookTypes) webhooks.inc({ event, outcome: 'failed' }, 0);
  for (const channel of channelId.options) for (const outcome of ['sent', 'failed', 'bounced']) notices.inc({ channel, outcome }, 0);
  for (const alarm of alarmNames) alarms.inc({ alarm }, 0);
};

const answer = async (registry: Registry, { url, method }: IncomingMessage, response: ServerResponse): Promise<void> => {
  const isAsked = url?.split('?', 1)[0] === '/metrics' && (method === 'GET' || method === 'HEAD');
  const text = isAsked ? await registry.metrics().catch(() => undefined) : '';
  response.writeHead(isAsked ? (text === undefined ? 500 : 200) : 404, { 'content-type': registry.contentType }).end(text);
};

interface ObservedLocks {
  readonly level: LockLevel;
  /** How many locks end before the retention, as the last comparison of each has found. */
  readonly countShort: () => Promise<number>;
}

const observeLocks = (registry: Registry, { level, countShort }: ObservedLocks): void => {
  const short: Gauge = new Gauge({
    name: 'pergamin_object_locks_short',
    help: 'Objects whose lock in the store ends before their retention, as the last comparison of each has found',
    registers: [registry],
    async collect(): Promise<void> {
      // While the database is away, the last value stays, and other metrics are answered.
      const count = await countShort().catch(() => undefined);
      if (count !== undefined) short.set(count);
    },
  });
  new Gauge({
    name: 'pergamin_object_lock',
    help: 'What keeps stored documents from being removed: compliance, governance, soft (versions) or none',
    labelNames: ['level'],
    registers: [registry],
  }).set({ level }, 1);
};

// Each collector sets its own value: the registry calls all of them at once.
const observeRenditions = (registry: Registry, renditions: Pick<Renditions, 'usage'>): void => {
  const size: Gauge = new Gauge({
    name: 'pergamin_renditions_bytes',
    help: 'What page images and texts take of the disk',
    registers: [registry],
    async collect(): Promise<void> {
      size.set((await renditions.usage()).bytes);
    },
  });
  const countEvicted = (of: 'bytes' | 'sets', { help, valueOf }: { help: string; valueOf: (usage: RenditionsUsage) => number }): void => {
    const counter: Counter = new Counter({
      name: `pergamin_renditions_evicted_${of}_total`,
      help,
      registers: [registry],
      async collect(): Promise<void> {
        const value = valueOf(await renditions.usage());
        counter.reset();
        counter.inc(value);
      },
    });
  };
  countEvicted('bytes', {
    help: 'Page images and texts that were removed to stay within RENDITIONS_MAX_BYTES',
    valueOf: ({ evictedBytes }) => evictedBytes,
  });
  countEvicted('sets', {
    help: 'Documents of which the images of one width, or the texts, were removed to stay within RENDITIONS_MAX_BYTES',
    valueOf: ({ evictedSets }) => evictedSets,
  });
};
