import type { AnswerOf, calls, WebhookDelivery, WebhookState, WebhookType } from '@pergamin/contract';
import * as z from 'zod/mini';
import type { Trx } from '#platform/database/schema.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { Delivering } from './delivering.ts';
import type { WebhooksParts } from './parts.ts';
import * as store from './webhooks.store.ts';

/** Tells the organisation's system what happened (RECEIVED_WEBHOOK_URL). */
export interface Webhooks {
  /** Whether events of this type are told: what is needed for one alone is looked up only then. */
  wants(type: WebhookType): boolean;
  /**
   * Tells of these facts, if and only if the transaction commits; at least once. Those of a type that is not wanted are left out. One statement,
   * which waits for no other transaction.
   */
  tell(trx: Trx, facts: readonly store.Fact[]): Promise<void>;
}

export type WebhookLog = ReturnType<typeof createWebhookLog>;

export const createTelling = (
  { settings, clock }: Pick<WebhooksParts, 'settings' | 'clock'>,
  { wakeSoon }: { wakeSoon: () => void },
): Webhooks => {
  const wants: Webhooks['wants'] = (type) => settings.receivedWebhook?.events.includes(type) ?? false;
  return {
    wants,
    async tell(trx, facts) {
      const wanted = facts.filter(({ type }) => wants(type));
      if (wanted.length === 0) return;
      await store.insertFacts(trx, wanted, clock.now());
      wakeSoon();
    },
  };
};

const retriedAtOnce = 10_000;
const sweptAtOnce = 10_000;
const dayMs = 86_400_000;
/** How long an event that has ended stays in the log. */
const keptMs = { delivered: 7 * dayMs, failed: 30 * dayMs } as const satisfies Partial<Record<WebhookState, number>>;

const placeSchema = z.tuple([z.int(), z.uuid()]);

const cursorOf = ({ created_at: createdAt, id }: { created_at: Date; id: string }): string =>
  Buffer.from(JSON.stringify([createdAt.getTime(), id])).toString('base64url');

const readCursor = (cursor: string): store.Place => {
  try {
    const [createdAt, id] = z.parse(placeSchema, JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { createdAt: new Date(createdAt), id };
  } catch {
    throw invalidField('cursor', 'not the cursor of an answer');
  }
};

const deliveryOf = (row: Awaited<ReturnType<typeof store.listByState>>[number]): WebhookDelivery => ({
  id: row.id,
  type: row.type,
  documentId: row.document_id,
  createdOn: row.created_at.getTime(),
  state: row.state,
  attempts: row.attempts,
  lastStatus: row.last_status,
  lastError: row.last_error,
  lastAttemptOn: row.last_attempt_at?.getTime() ?? null,
  nextAttemptOn: row.state === 'queued' ? row.due_at.getTime() : null,
});

interface Asked {
  readonly state: WebhookState;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export const createWebhookLog = ({ db, clock }: Pick<WebhooksParts, 'db' | 'clock'>, { wake }: Pick<Delivering, 'wake'>) => ({
  /** Throws VALIDATION_ERROR for a cursor that no answer gave. */
  async list({ state, cursor, limit }: Asked): Promise<AnswerOf<typeof calls.listWebhooks>> {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const rows = await store.listByState(db, { state, after, limit: limit + 1 });
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return { items: items.map(deliveryOf), cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
  },

  async retry({ ids }: { ids?: readonly string[] | undefined }): Promise<AnswerOf<typeof calls.retryWebhooks>> {
    const unknown = ids === undefined ? undefined : await store.findUnknown(db, ids);
    if (unknown !== undefined) throw invalidField('ids', `${unknown} is no event of the log`);
    const retried = await store.queueAgain(db, { ids, at: clock.now(), limit: retriedAtOnce });
    if (retried > 0) await wake();
    return { retried, more: retried === retriedAtOnce };
  },

  async sweep(): Promise<void> {
    for (const state of ['delivered', 'failed'] as const) {
      const before = new Date(clock.now().getTime() - keptMs[state]);
      for (let swept = sweptAtOnce; swept === sweptAtOnce;) swept = await store.sweepEnded(db, { state, before, limit: sweptAtOnce });
    }
  },
});
