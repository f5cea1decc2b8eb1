import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { calls, type UnopenedDocument } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { onOneLine } from '../one-line.ts';

interface Asked {
  readonly since?: string;
  readonly only?: 'unread' | 'undelivered';
}

const noticeText = ({ notice }: UnopenedDocument): string => {
  if (notice === null) return 'no notice';
  const { state, channel, reason, attempts } = notice;
  const details = [channel, reason, attempts === 1 ? '1 attempt' : `${attempts} attempts`].filter((detail) => detail !== null);
  return `${state} (${details.join(', ')})`;
};

const lineOf = (item: UnopenedDocument): string =>
  [
    new Date(item.publishedOn).toISOString().slice(0, 10),
    item.personalId,
    item.documentId,
    item.unread ? 'unread' : 'opened',
    noticeText(item),
    onOneLine(item.fileName),
  ].join('  ');

const writeLines = async (connection: Connection, asked: Asked): Promise<void> => {
  const found = { unread: 0, undelivered: 0 };
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof connection.call<typeof calls.listUnopened>>> = await connection.call(calls.listUnopened, {
      query: { ...asked, limit: '500', ...(cursor === null ? {} : { cursor }) },
    });
    for (const item of page.items) {
      found.unread += item.unread ? 1 : 0;
      found.undelivered += item.undelivered ? 1 : 0;
      process.stdout.write(`${lineOf(item)}\n`);
    }
    cursor = page.cursor;
  } while (cursor !== null);
  const all = await connection.call(calls.countNotices, { query: asked.since === undefined ? {} : { since: asked.since } });
  const counted = Object.entries(all).map(([what, count]) => `${what} ${count}`);
  process.stderr.write(`unread ${found.unread}, not delivered ${found.undelivered}; notices: ${counted.join(', ')}\n`);
};

const writeTable = async (connection: Connection, asked: Asked, path: string | undefined): Promise<void> => {
  const table = Readable.from(await connection.open(calls.exportUnopened, { query: asked }));
  try {
    // The file holds the personal ids of all recipients: only its owner may read it.
    await (path === undefined
      ? pipeline(table, process.stdout, { end: false })
      : pipeline(table, createWriteStream(path, { mode: 0o600 })));
  } catch (error) {
    throw new RefusedError(`the table could not be written completely${error instanceof Error ? `: ${error.message}` : ''}`, {
      cause: error,
    });
  }
};

const bounce = async (connection: Connection, [id, ...more]: string[], reason: unknown): Promise<void> => {
  if (id === undefined || more.length > 0) throw new UsageError(report.usage);
  await connection.call(calls.reportBounce, { body: { id, ...(typeof reason === 'string' ? { reason } : {}) } });
  process.stdout.write(`bounced ${onOneLine(id)}\n`);
};

export const report = {
  usage: `pergamin report unread [--since yyyy-mm-dd] [--only unread|undelivered] [--csv [--to FILE]]
    Who has neither read nor downloaded what was published to them, and whom no notice reached: a line each, oldest first, and how many
    there are on standard error. --csv writes a table for spreadsheets instead. --since leaves out what was published before that day.

pergamin report bounced ID [--reason TEXT]
    Says that a notice did not arrive. ID is the Message-ID of the mail, the gateway's id of the SMS, or the notice's own. Can be repeated.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, {
      options: {
        since: { type: 'string' },
        only: { type: 'string' },
        csv: { type: 'boolean' },
        to: { type: 'string' },
        reason: { type: 'string' },
      },
      usage: report.usage,
    });
    const [verb, ...more] = positionals;
    const { since, only, csv = false, to } = values;
    if (verb === 'bounced') return bounce(connection, more, values.reason);
    const isFit = (only === undefined || only === 'unread' || only === 'undelivered') && (to === undefined || csv) && more.length === 0;
    if (verb !== 'unread' || !isFit || values.reason !== undefined) throw new UsageError(report.usage);
    const asked: Asked = { ...(since === undefined ? {} : { since }), ...(only === undefined ? {} : { only }) };
    return csv ? writeTable(connection, asked, to) : writeLines(connection, asked);
  },
};
