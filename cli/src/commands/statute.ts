import { basename } from 'node:path';
import { calls } from '@pergamin/contract';
import { openPdf, readArguments, readMoment } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { onOneLine } from '../one-line.ts';

/** `2027-01-01 00:00 (Europe/Warsaw)`: the day that clients are told. */
const momentIn = (timeZone: string, moment: number): string =>
  `${new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(moment)} (${timeZone})`;

export const statute = {
  usage: `pergamin statute publish FILE.pdf --version VERSION [--effective-from MOMENT] [--changes TEXT]
    Publishes a version of the terms. Every client is asked to accept it from that moment on (at once when left out), which is written
    like 2027-01-01T00:00:00+01:00 and answered in the time zone of the organisation. Of the nearest
    version ahead clients are told when they sign in, with what --changes says; who accepts it before its day is not asked again.

pergamin statute withdraw VERSION --reason TEXT
    Takes a version back before its moment, while no client has accepted it: it is told and asked for no more. Its text and its row stay, and its
    name is not used again. Cannot be undone.

pergamin statute list [--json]
    Every version, the latest first: its state, its moment, how many clients have accepted it, and who withdrew it and why.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options, usage: statute.usage });
    const [verb = '', word, ...more] = positionals;
    const allowed = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (allowed === undefined || more.length > 0 || Object.keys(values).some((option) => !allowed.includes(option)))
      throw new UsageError(statute.usage);
    if (verb === 'list' && word === undefined) return writeList(connection, values.json === true);
    if (verb === 'publish' && word !== undefined) return publish(connection, word, values);
    if (verb === 'withdraw' && word !== undefined) return withdraw(connection, word, values.reason ?? '');
    throw new UsageError(statute.usage);
  },
};

const options = {
  version: { type: 'string' },
  'effective-from': { type: 'string' },
  changes: { type: 'string' },
  reason: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

/** The options that fit each word. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  publish: ['version', 'effective-from', 'changes'],
  withdraw: ['reason'],
  list: ['json'],
};

const publish = async (connection: Connection, path: string, values: Values): Promise<void> => {
  const { version, changes, 'effective-from': effectiveFrom } = values;
  if (version === undefined) throw new UsageError(statute.usage);
  const form = new FormData();
  form.set(
    'description',
    JSON.stringify({
      version,
      changes,
      ...(effectiveFrom === undefined ? {} : { effectiveFrom: readMoment('--effective-from', effectiveFrom) }),
    }),
  );
  form.set('file', await openPdf(path), basename(path));
  const published = await connection.call(calls.publishStatute, { form });
  process.stdout.write(
    `${published.repeated ? 'already published' : 'published'} ${published.id}\n  version ${published.version}, in force from ${momentIn(published.timeZone, published.effectiveFrom)}\n`,
  );
};

const withdraw = async (connection: Connection, version: string, reason: string): Promise<void> => {
  if (reason.trim() === '') throw new UsageError(`say why: --reason TEXT\n\n${statute.usage}`);
  const { id, changed } = await connection.call(calls.withdrawStatute, { body: { version, reason } });
  process.stdout.write(`${changed ? 'withdrawn' : 'already withdrawn'} ${id}\n  version ${onOneLine(version)}\n`);
};

const writeList = async (connection: Connection, isJson: boolean): Promise<void> => {
  const { items, timeZone } = await connection.call(calls.listStatutes, {});
  if (isJson) {
    process.stdout.write(`${JSON.stringify(items, undefined, 2)}\n`);
    return;
  }
  for (const { version, state, effectiveFrom, acceptances, withdrawn } of items) {
    const words = [onOneLine(version), state, `from ${momentIn(timeZone, effectiveFrom)}`, `accepted ${acceptances}`];
    const why =
      withdrawn === null
        ? []
        : [`withdrawn ${momentIn(timeZone, withdrawn.at)} by ${onOneLine(withdrawn.keyName)}`, onOneLine(withdrawn.reason)];
    process.stdout.write(`${[...words, ...why].join('  ')}\n`);
  }
};
