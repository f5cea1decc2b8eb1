import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  MalformedError,
  outcomeOf,
  parsePolicy,
  type Policy,
  type ReceiptOutcome,
  type ReceiptVerdict,
  type Statement,
  type StatementEvent,
  statementEvents,
  verifyReceipt,
} from '@pergamin/ledger';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { onOneLine } from '../one-line.ts';

const unreadable = (path: string, error: unknown): UsageError => new UsageError(`${path} cannot be read`, { cause: error });

const checksumOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return hash.digest('hex');
};

const readWhole = async (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });

const readPolicy = async (path: string): Promise<Policy> => {
  const text = (await readWhole(path)).toString('utf8');
  try {
    return parsePolicy(text);
  } catch (error) {
    if (error instanceof MalformedError) throw new UsageError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
};

/** A receipt that nobody has signed may name a time that no calendar has. */
const moment = (milliseconds: number): string => {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? `${milliseconds} ms after 1970` : date.toISOString();
};

const mark = (isRight: boolean): string => (isRight ? 'yes' : 'NO ');

/** `customer 7001, customer 7002`; principals of another kind as they are written. */
const ownersOf = ({ owner }: Statement): string =>
  onOneLine(
    owner
      .split('\n')
      .map((principal) => (principal === 'public' ? 'everybody' : principal.replace(/^cif:/, 'customer ').replace(/^group:/, 'group ')))
      .join(', '),
  );

const whose: Readonly<Partial<Record<StatementEvent, string>>> = { PUBLISHED: 'published for', RECEIVED: 'sent to the organisation by' };

/** What the statement says, whether or not it is right: a receipt is text of others, and a terminal obeys it. */
const statementLines = (statement: Statement): readonly string[] => {
  const { event, documentId, time, size, state } = statement;
  const said = `${whose[event] ?? 'of'} ${ownersOf(statement) || 'nobody named'}`;
  return [
    `     document ${onOneLine(documentId)}, ${event}, ${moment(time)}, ${size} bytes, ${said}`,
    ...(state === 'ACTIVE' ? [] : [`     its state is ${state} in this statement`]),
  ];
};

const linesOf = (verdict: ReceiptVerdict): readonly string[] => {
  const { isSameFile, opensStatement, isIncluded, isSigned, statement, place, witnesses } = verdict;
  if (place === undefined) return ['NO   this is not a receipt, or it was changed: it cannot be read'];
  const seen = witnesses.map(({ name, at }) => `     seen by ${name}, ${moment(at * 1_000)}`);
  return [
    `${mark(isSameFile)}  the file has the very bytes that the receipt names`,
    `${mark(opensStatement)}  the receipt says what happened to it, when, and whose it is`,
    ...(statement === undefined ? [] : statementLines(statement)),
    `${mark(isIncluded)}  the log holds this statement, as entry ${place.index} of ${place.size} (${onOneLine(place.origin)})`,
    `${mark(isSigned)}  the log, and as many witnesses as the policy asks for, have signed it`,
    ...seen,
  ];
};

export const exitCodes = { proved: 0, notProved: 1, received: 3, otherEvent: 4 } as const satisfies Record<ReceiptOutcome, number>;

/** One sentence, which says no more than the statement does. */
const sentenceOf = (outcome: ReceiptOutcome, { statement }: ReceiptVerdict, expected: StatementEvent): string => {
  if (statement === undefined || outcome === 'notProved') return 'not proved';
  if (outcome === 'received')
    return `authentic, but RECEIVED: sent to the organisation by ${ownersOf(statement)}; not a document of the organisation`;
  if (outcome === 'otherEvent') return `authentic, but of ${statement.event}: it does not prove ${expected}`;
  if (expected === 'PUBLISHED')
    return `proved: this file was published for ${ownersOf(statement)}. Whether it was cancelled or replaced later is not in a receipt: ask the portal`;
  if (expected === 'RECEIVED') return `proved: sent to the organisation by ${ownersOf(statement)}; not a document of the organisation`;
  return `proved: ${expected}, which is no publication`;
};

const isEvent = (name: string): name is StatementEvent => Object.hasOwn(statementEvents, name);

export const verify = {
  usage: `pergamin verify FILE.pdf RECEIPT.tlog-proof --policy POLICY [--event EVENT] [--json]
    Says whether the receipt proves that this very file was published. Needs no portal and no network: all that is trusted are the keys in POLICY
    (C2SP tlog-policy), which should come from elsewhere than the receipt. What became of the document later is not in a receipt.
    Exit code 0: proved. 1: not proved. 2: a file could not be read. 3: authentic, but RECEIVED, which is what a customer sent to the
    organisation, and no document of the organisation. 4: authentic, but of another event.
    --policy POLICY     which logs and witnesses are trusted
    --event EVENT       proves this event in the place of PUBLISHED: ${Object.keys(statementEvents)
      .filter((name) => name !== 'PUBLISHED')
      .join(', ')}
    --json              the verdict as one line of JSON, with \`event\` and \`outcome\` (proved, received, otherEvent, notProved)`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, {
      options: { policy: { type: 'string' }, event: { type: 'string', default: 'PUBLISHED' }, json: { type: 'boolean' } },
      usage: verify.usage,
    });
    const [file, receipt, ...more] = positionals;
    const { event: expected } = values;
    if (file === undefined || receipt === undefined || values.policy === undefined || more.length > 0) throw new UsageError(verify.usage);
    if (!isEvent(expected)) throw new UsageError(`--event ${expected}: there is no such event\n\n${verify.usage}`);
    const policy = await readPolicy(values.policy);
    const sha256 = await checksumOf(file);
    const verdict = verifyReceipt(await readWhole(receipt), { sha256, policy });
    const outcome = outcomeOf(verdict, expected);
    const sentence = sentenceOf(outcome, verdict, expected);
    const told = { proved: outcome === 'proved', outcome, event: verdict.statement?.event ?? null, sha256, ...verdict };
    const lines =
      values.json === true ? [JSON.stringify(told)] : [...linesOf(verdict), ...(outcome === 'proved' ? [`     ${sentence}`] : [])];
    process.stdout.write(`${lines.join('\n')}\n`);
    if (outcome !== 'proved') throw new RefusedError(sentence, { exitCode: exitCodes[outcome] });
  },
};
