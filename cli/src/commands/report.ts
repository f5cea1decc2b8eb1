import { calls, type DeliveryProof, type UnopenedDocument } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { onOneLine } from '../one-line.ts';
import { type ReportLines, writeReport } from '../report-output.ts';

const formats = ['text', 'csv', 'json'] as const;

const momentText = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 19)}Z`;

const noticeText = ({ notice }: Pick<DeliveryProof, 'notice'>): string => {
  if (notice === null) return 'no notice';
  const { state, channel, reason, attempts } = notice;
  const details = [channel, reason, attempts === 1 ? '1 attempt' : `${attempts} attempts`].filter((detail) => detail !== null);
  return `${state} (${details.join(', ')})`;
};

/** As `read 2026-11-23T08:15:00Z`, or `not read`. */
const happened = (what: string, epochMs: number | null): string => (epochMs === null ? `not ${what}` : `${what} ${momentText(epochMs)}`);

const unreadLines = (): ReportLines<UnopenedDocument> => {
  const found = { unread: 0, undelivered: 0 };
  return {
    lineOf(item) {
      found.unread += item.unread ? 1 : 0;
      found.undelivered += item.undelivered ? 1 : 0;
      const isOpened = item.unread ? 'unread' : 'opened';
      return [momentText(item.publishedOn), item.personalId, item.documentId, isOpened, noticeText(item), onOneLine(item.fileName)].join(
        '  ',
      );
    },
    summary: () => `unread ${found.unread}, not delivered ${found.undelivered}`,
  };
};

const deliveryLines = (): ReportLines<DeliveryProof> => {
  const found = { opened: 0, read: 0, downloaded: 0, undelivered: 0 };
  return {
    lineOf(item) {
      found.opened += item.openedOn === null ? 0 : 1;
      found.read += item.readOn === null ? 0 : 1;
      found.downloaded += item.downloadedOn === null ? 0 : 1;
      found.undelivered += item.notice?.state === 'failed' || item.notice?.state === 'bounced' ? 1 : 0;
      return [
        momentText(item.publishedOn),
        item.personalId,
        item.documentId,
        noticeText(item),
        happened('opened', item.openedOn),
        `pages ${item.pages.length - item.pagesNotShown.length} of ${item.pageCount}`,
        happened('read', item.readOn),
        // An earlier release called that read.
        ...(item.closedOn === null ? [] : [happened('closed', item.closedOn)]),
        happened('downloaded', item.downloadedOn),
        item.verifications.length === 0 ? 'not verified' : `verified ${item.verifications.map(({ outcome }) => outcome).join(', ')}`,
        onOneLine(item.fileName),
      ].join('  ');
    },
    summary: (rows) =>
      `rows ${rows}, opened ${found.opened}, read ${found.read}, downloaded ${found.downloaded}, not delivered ${found.undelivered}`,
  };
};

/** Of all notices that were made on these days. */
const tellCounts = async (connection: Connection, days: { from?: string; to?: string }): Promise<void> => {
  const counted = Object.entries(await connection.call(calls.countNotices, { query: days })).map(([what, count]) => `${what} ${count}`);
  process.stderr.write(`notices: ${counted.join(', ')}\n`);
};

const bounce = async (connection: Connection, [id, ...more]: string[], reason: unknown): Promise<void> => {
  if (id === undefined || more.length > 0) throw new UsageError(report.usage);
  await connection.call(calls.reportBounce, { body: { id, ...(typeof reason === 'string' ? { reason } : {}) } });
  process.stdout.write(`bounced ${onOneLine(id)}\n`);
};

const text = { type: 'string' } as const;
const options = { from: text, to: text, document: text, kind: text, cif: text, only: text, format: text, output: text, reason: text };

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

/** Only what was given: the portal has the defaults. */
const oneOf = <const Word extends string>(value: string | undefined, words: readonly Word[]): Word | undefined => {
  const found = words.find((word) => word === value);
  if (value !== undefined && found === undefined) throw new UsageError(report.usage);
  return found;
};

const given = <Name extends string, Value>(name: Name, value: Value | undefined): Partial<Record<Name, Value>> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed key loses its type
  value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);

const write = async (connection: Connection, verb: 'delivery' | 'unread', values: Values): Promise<void> => {
  const days = { ...given('from', values.from), ...given('to', values.to) };
  const few = {
    ...given('document', values.document),
    ...given('cif', values.cif),
    ...given('kind', oneOf(values.kind, ['private', 'statement'])),
  };
  const only = given('only', oneOf(values.only, ['unread', 'undelivered']));
  const format = oneOf(values.format, formats) ?? 'text';
  const query = { ...days, ...few, format: format === 'csv' ? format : ('json' as const) };
  const target = { format, path: values.output };
  if (verb === 'delivery') {
    await writeReport(await connection.open(calls.exportDeliveries, { query }), target, deliveryLines());
  } else {
    await writeReport(await connection.open(calls.exportUnopened, { query: { ...query, ...only } }), target, unreadLines());
    if (format === 'text' && Object.keys(few).length === 0) await tellCounts(connection, days);
  }
};

export const report = {
  usage: `pergamin report delivery|unread [--from yyyy-mm-dd] [--to yyyy-mm-dd] [--document ID] [--kind private|statement] [--cif CIF]
                [--format text|csv|json] [--output FILE]
    delivery: what became of each document with each of its clients, and when: published, notified, opened, each page, read, downloaded, verified.
    unread: who has neither read nor downloaded what was published to them, and whom no notice reached; --only unread|undelivered has one of both.
    Oldest first. --from and --to are days of publication where the organisation is, both included. text is a line each, with how many there are
    on standard error; csv is a table for spreadsheets, json an object a line.

pergamin report bounced ID [--reason TEXT]
    Says that a notice did not arrive. ID is the Message-ID of the mail, the gateway's id of the SMS, or the notice's own. Can be repeated.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options, usage: report.usage });
    const [verb, ...more] = positionals;
    if (verb === 'bounced') return bounce(connection, more, values.reason);
    const isFit =
      more.length === 0 && values.reason === undefined && (verb === 'unread' || (verb === 'delivery' && values.only === undefined));
    if (!isFit) throw new UsageError(report.usage);
    return write(connection, verb, values);
  },
};
