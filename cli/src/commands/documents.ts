import { Readable } from 'node:stream';
import { calls, calendarDay, documentId, documentState, type KeptDocument, type LifeEntry, type Withdrawal } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { changeEach, readIds } from '../document-ids.ts';
import { UsageError } from '../errors.ts';
import { onOneLine } from '../one-line.ts';
import { readEncoding } from '#tables/table-encoding.ts';
import { withdrawalSentence, writeWithdrawals } from '../withdrawal-report.ts';

const options = {
  ids: { type: 'string' },
  encoding: { type: 'string' },
  to: { type: 'string' },
  reason: { type: 'string' },
  release: { type: 'boolean' },
  until: { type: 'string' },
  'before-retention': { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

type Option = keyof typeof options;

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

type Changed = KeptDocument & { readonly changed: boolean };

/** What is done to one document; made from the other words of the command, which are judged first. */
type Change = (connection: Connection, id: string) => Promise<Changed>;

interface Verb {
  /** Those that fit, beside --ids. */
  readonly options: readonly Option[];
  /** `word`: what follows the document. */
  read(values: Values, word: string | undefined): Change;
}

/** What is taken away, and stays in the store all the same. */
const keptByLock = ({ state, removedAt, lockedUntil }: Changed): string[] =>
  lockedUntil !== null && removedAt === null && (state === 'DELETED' || state === 'FORGOTTEN') && lockedUntil > Date.now()
    ? [`bytes locked in the store until ${new Date(lockedUntil).toISOString()}`]
    : [];

const lineOf = (changed: Changed): string => {
  const { id, state, retentionDate, legalHold, removedAt } = changed;
  return [
    id,
    state,
    ...(retentionDate === null ? [] : [retentionDate === -1 ? 'kept for ever' : `kept until ${retentionDate}`]),
    ...(legalHold ? ['held'] : []),
    ...(removedAt === null ? [] : ['removed']),
    ...keptByLock(changed),
    ...(changed.changed ? [] : ['unchanged']),
  ].join('  ');
};

const wrong = (problem: string): UsageError => new UsageError(`${problem}\n\n${documents.usage}`);

const reasonOf = ({ reason = '' }: Values): string => {
  if (reason.trim() === '') throw wrong('say why: --reason TEXT');
  return reason;
};

const earlyOf = (values: Values): { beforeRetention?: true } => (values['before-retention'] === true ? { beforeRetention: true } : {});

const readUntil = (until: string | undefined): string | -1 => {
  if (until === 'indefinite') return -1;
  const day = safeParse(calendarDay, until);
  if (!day.success) throw wrong('--until must be a day as 2031-12-31, or indefinite');
  return day.data;
};

const verbs: Readonly<Record<string, Verb>> = {
  status: {
    options: ['reason', 'before-retention'],
    read(values, word) {
      const state = safeParse(documentState, word);
      if (!state.success) throw wrong('the state must be CANCELLED, DELETED or ACTIVE');
      const body = { state: state.data, reason: reasonOf(values), ...earlyOf(values) };
      return (connection, id) => connection.call(calls.changeDocumentState, { params: { id }, body });
    },
  },
  hold: {
    options: ['reason', 'release'],
    read(values) {
      const body = { held: values.release !== true, reason: reasonOf(values) };
      return (connection, id) => connection.call(calls.holdDocument, { params: { id }, body });
    },
  },
  retain: {
    options: ['reason', 'until'],
    read(values) {
      const { reason } = values;
      const body = { until: readUntil(values.until), ...(reason === undefined ? {} : { reason }) };
      return (connection, id) => connection.call(calls.retainDocument, { params: { id }, body });
    },
  },
  forget: {
    options: ['reason', 'before-retention', 'yes'],
    read(values) {
      const body = { reason: reasonOf(values), ...earlyOf(values) };
      if (values.yes !== true) throw wrong('forgetting cannot be undone: say --yes');
      return (connection, id) => connection.call(calls.forgetDocument, { params: { id }, body });
    },
  },
};

/** A state, or a day of the retention. */
const valueText = (value: LifeEntry['after']): string => (value === null ? 'none' : value === -1 ? 'for ever' : value);

const entryLine = ({ event, at, before, after, keyName, reason }: LifeEntry): string =>
  [
    new Date(at).toISOString(),
    event,
    ...(after === null ? [] : [`${valueText(before)} → ${valueText(after)}`]),
    ...(keyName === null ? [] : [`by ${onOneLine(keyName)}`]),
    ...(reason === null ? [] : [onOneLine(reason)]),
  ].join('  ');

const writeHistory = async (connection: Connection, id: string): Promise<void> => {
  const { document, items } = await connection.call(calls.getDocumentLife, { params: { id } });
  const lines = [lineOf({ ...document, changed: true }), `SHA-256 ${document.sha256 ?? '–'}`, ...items.map(entryLine)];
  process.stdout.write(`${lines.join('\n')}\n`);
};

const run = async (connection: Connection, args: string[]): Promise<void> => {
  const { values, positionals } = readArguments(args, { options, usage: documents.usage });
  const [name = '', ...words] = positionals;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  const given = Object.keys(values);
  if (name === 'history' && words.length === 1 && given.length === 0) return writeHistory(connection, requireId(words[0]));
  const fitting = name === 'withdraw' ? ofWithdrawal : verb?.options;
  const ofIds = values.ids === undefined ? [] : ['ids', 'encoding'];
  if (fitting === undefined || given.some((option) => !ofIds.includes(option) && !fitting.some((own) => own === option)))
    throw new UsageError(documents.usage);
  const ids = values.ids === undefined ? [requireId(words.shift())] : await readIds(values.ids, readEncoding(values.encoding));
  if (name === 'withdraw' && words.length === 0) return withdraw(connection, ids, values);
  const word = words.shift();
  if (verb === undefined || words.length > 0 || (word !== undefined && name !== 'status')) throw new UsageError(documents.usage);
  const change = verb.read(values, word);
  return changeEach(ids, async (id) => void process.stdout.write(`${lineOf(await change(connection, id))}\n`));
};

const ofWithdrawal: readonly Option[] = ['reason', 'to'];

const withdraw = async (connection: Connection, ids: readonly string[], values: Values): Promise<void> => {
  const body = { reason: reasonOf(values) };
  const withdrawn: Withdrawal[] = [];
  try {
    await changeEach(ids, async (id) => void withdrawn.push(await connection.call(calls.withdrawDocument, { params: { id }, body })));
  } finally {
    // Also of what was done before a refusal.
    const counts = await writeWithdrawals(Readable.from(withdrawn), values.to);
    process.stdout.write(`withdrawn: ${withdrawalSentence(counts)}\n`);
  }
};

const requireId = (id: string | undefined): string => {
  const read = safeParse(documentId, id);
  if (!read.success)
    throw wrong(id === undefined ? 'which document? Give its ID, or --ids FILE' : `${onOneLine(id)} is no id of a document`);
  return read.data;
};

export const documents = {
  usage: `pergamin documents status ID CANCELLED|DELETED|ACTIVE --reason TEXT [--before-retention]
    CANCELLED: clients still see the document, with its state. DELETED: they do not; its bytes are removed when its retention is over.
    ACTIVE: an OBSOLETE document is in force again, once every later version of it was cancelled or deleted.
    --before-retention deletes earlier; the key needs the scope documents:remove-early.

pergamin documents withdraw ID --reason TEXT [--to FILE.csv]
    Takes back what was published wrongly: it is cancelled. When nobody has opened it, it leaves the lists; else its recipients are told. Says who has
    seen what; --to writes a table of it. A whole batch: pergamin batches withdraw.

pergamin documents hold ID --reason TEXT [--release]
    Sets a legal hold, under which nothing removes the document; --release ends it.

pergamin documents retain ID --until 2031-12-31|indefinite [--reason TEXT]
    Extends the retention; it is never shortened.

pergamin documents forget ID --reason TEXT --yes [--before-retention]
    Forgets a deleted document: what it said goes, its bytes too; its id, its checksum and its history stay. Cannot be undone.

pergamin documents history ID
    What became of a document: when, by which key, and why.

    --ids FILE instead of ID takes one id a line, or the column id of a CSV table or of the first sheet of XLSX (--encoding windows-1250 or utf-16). What is refused is named on standard error with its reason, the others are changed; then the
    exit code is 1. All of them can be repeated: what is so already stays as it is.`,
  run,
};
