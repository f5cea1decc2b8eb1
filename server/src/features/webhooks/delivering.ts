import type { WebhookEvent, WebhookType } from '@pergamin/contract';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import { type Outage, outagesOf } from '#platform/log/outages.ts';
import type { WebhooksParts } from './parts.ts';
import { createPost, type Post } from './posting.ts';
import * as store from './webhooks.store.ts';
import { type Answer, isFromSystemInTrouble, pauseAfter } from './webhooks.rules.ts';

export const deliverJob = 'webhooks:deliver';
/** Over all processes one job at a time, so that no event is posted by two of them at once. */
const queue = 'webhooks';

const postsAtOnce = 8;
const eventsPerRound = 64;
/** Then jobs of other kinds may run. */
const roundsPerJob = 8;
/** Nothing is posted for so long after only failures: each costs up to ten seconds, and an attempt of its event. */
const restMs = 30_000;
/** When the system of the organisation is in trouble, what is older is given up with what was tried. */
const triedForMs = 2 * 86_400_000;
const givenUpAtOnce = 10_000;

export interface Delivering {
  /** Something may be due: soon, or at that moment. */
  wake(dueAt?: Date): Promise<void>;
  readonly run: JobHandler;
}

interface Posted extends Answer {
  readonly event: WebhookEvent;
  readonly attempts: number;
}

/** Posts them, some at a time, until all are posted or only failures have come back. */
const postAll = async (
  post: Post,
  queued: readonly store.QueuedEvent[],
  signal: AbortSignal,
): Promise<{ posted: Posted[]; isDown: boolean }> => {
  const posted: Posted[] = [];
  const left = queued.values();
  const isDown = (): boolean => posted.length >= postsAtOnce && posted.every(isFromSystemInTrouble);
  const postSome = async (): Promise<void> => {
    for (const { event, attempts } of left) {
      const answer = await post(event, signal);
      if (answer !== undefined) posted.push({ ...answer, event, attempts: attempts + 1 });
      if (signal.aborted || isDown()) return;
    }
  };
  await Promise.all(Array.from({ length: postsAtOnce }, postSome));
  return { posted, isDown: isDown() };
};

const attemptOf = ({ event: { id }, attempts, status, error }: Posted, now: Date): store.Attempt => {
  if (error === null) return { id, state: 'delivered', status, error, dueAt: undefined };
  const pauseMs = pauseAfter(attempts);
  if (pauseMs === undefined) return { id, state: 'failed', status, error, dueAt: undefined };
  return { id, state: 'queued', status, error, dueAt: new Date(now.getTime() + pauseMs) };
};

/** Posts queued events at least once: an attempt is written down after it was made, so a run that dies leaves it to the next. */
export const createDelivering = (parts: WebhooksParts): Delivering => {
  const { db, jobs, settings, clock } = parts;
  const post = settings.receivedWebhook === undefined ? undefined : createPost(settings.receivedWebhook, parts);
  const outage = outagesOf(parts.log).of('webhooks');
  let restsUntil = new Date(0);

  const wake: Delivering['wake'] = (dueAt) =>
    jobs.add(
      deliverJob,
      {},
      {
        jobKey: queue,
        queue,
        // The job queue uses the machine's clock.
        ...(dueAt === undefined ? {} : { runAt: new Date(Date.now() + Math.max(0, dueAt.getTime() - clock.now().getTime())) }),
      },
    );

  /** False: there is nothing more to be posted now. */
  const runRound = async (postOne: Post, signal: AbortSignal): Promise<boolean> => {
    const queued = await store.listDue(db, { now: clock.now(), limit: eventsPerRound });
    const { posted, isDown } = await postAll(postOne, queued, signal);
    tellOutage(outage, posted);
    const now = clock.now();
    const attempts = posted.map((each) => ({ ...attemptOf(each, now), type: each.event.type }));
    await store.recordAttempts(db, attempts, now);
    report(parts, attempts);
    if (isDown) {
      restsUntil = new Date(now.getTime() + restMs);
      await giveUpOld(parts, posted.at(-1)?.error ?? 'no answer', now);
    }
    return !isDown && queued.length === eventsPerRound;
  };

  return {
    wake,
    async run(_, signal) {
      if (post === undefined) return giveUpAll(parts);
      if (clock.now() >= restsUntil)
        for (let round = 0; round < roundsPerJob && !signal.aborted; round += 1) if (!(await runRound(post, signal))) break;
      const dueAt = await store.findNextDue(db);
      if (dueAt !== undefined && !signal.aborted) await wake(dueAt > restsUntil ? dueAt : restsUntil);
      return undefined;
    },
  };
};

const tellOutage = (outage: Outage, posted: readonly Posted[]): void => {
  for (const answer of posted)
    if (isFromSystemInTrouble(answer)) outage.failed(new Error(answer.error ?? 'no answer'));
    else outage.worked();
};

const report = ({ metrics, log }: WebhooksParts, attempts: readonly (store.Attempt & { readonly type: WebhookType })[]): void => {
  for (const { id, type, state, error } of attempts) {
    metrics.countWebhook(type, state === 'queued' ? 'retried' : state);
    if (state === 'failed') log.error({ alarm: 'webhook', webhookId: id, type, error }, 'a webhook was given up');
  }
};

const giveUpOld = async ({ db, log }: WebhooksParts, error: string, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - triedForMs);
  const events = await store.giveUp(db, { before, error, limit: givenUpAtOnce });
  if (events > 0) log.error({ alarm: 'webhook', events, error }, 'webhooks were given up');
};

const giveUpAll = async ({ db, log, clock }: WebhooksParts): Promise<void> => {
  const error = 'no webhook is configured any more';
  const before = new Date(clock.now().getTime() + 1);
  for (let events = givenUpAtOnce; events === givenUpAtOnce;) {
    events = await store.giveUp(db, { before, error, limit: givenUpAtOnce });
    if (events > 0) log.error({ alarm: 'webhook', events, error }, 'webhooks were given up');
  }
};
