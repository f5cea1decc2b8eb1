import { calls, type WebhookDelivery, webhookState } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { onOneLine } from '../one-line.ts';

const lineOf = ({ id, type, documentId, createdOn, attempts, lastError }: WebhookDelivery): string =>
  [
    new Date(createdOn).toISOString(),
    id,
    type,
    documentId ?? '-',
    attempts === 1 ? '1 attempt' : `${attempts} attempts`,
    ...(lastError === null ? [] : [onOneLine(lastError)]),
  ].join('  ');

const list = async (connection: Connection, written: string): Promise<void> => {
  const state = webhookState.safeParse(written);
  if (!state.success) throw new UsageError(webhooks.usage);
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof connection.call<typeof calls.listWebhooks>>> = await connection.call(calls.listWebhooks, {
      query: { state: state.data, limit: '500', ...(cursor === null ? {} : { cursor }) },
    });
    for (const item of page.items) process.stdout.write(`${lineOf(item)}\n`);
    cursor = page.cursor;
  } while (cursor !== null);
};

const retry = async (connection: Connection, ids: string[]): Promise<void> => {
  let count = 0;
  for (let isMore = true; isMore;) {
    const { retried, more } = await connection.call(calls.retryWebhooks, { body: ids.length === 0 ? {} : { ids } });
    count += retried;
    isMore = more;
  }
  process.stdout.write(`queued again ${count}\n`);
};

export const webhooks = {
  usage: `pergamin webhooks list [--state failed|queued|delivered]
    Events that the organisation's system was to be told of, a line each, the newest first: when it happened, its id, type and document, how often it was
    posted and what came back. Without --state those that were given up.

pergamin webhooks retry --all
pergamin webhooks retry ID…
    Posts everything that was given up once more, or these alone, and these at once if they wait for their next attempt. Without either: as --all.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, {
      options: { state: { type: 'string' }, all: { type: 'boolean' } },
      usage: webhooks.usage,
    });
    const [verb, ...more] = positionals;
    if (verb === 'list' && more.length === 0 && values.all === undefined) return list(connection, values.state ?? 'failed');
    if (verb !== 'retry' || values.state !== undefined || (values.all === true && more.length > 0)) throw new UsageError(webhooks.usage);
    return retry(connection, more);
  },
};
