import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type AnswerOf, type Batch, calls, documentId } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { readArguments, readMoment } from '../arguments.ts';
import { readReport, readReportLines, readSightings } from '../batch-report.ts';
import { commitBatch, withdrawBatch } from '../batch-run.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { quoted } from '../manifest-report.ts';
import { onOneLine } from '../one-line.ts';
import { withdrawalSentence, writeWithdrawals } from '../withdrawal-report.ts';

const options = {
  all: { type: 'boolean' },
  documents: { type: 'string' },
  at: { type: 'string' },
  yes: { type: 'boolean' },
  csv: { type: 'boolean' },
  to: { type: 'string' },
  reason: { type: 'string' },
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

interface Verb {
  readonly options: readonly (keyof typeof options)[];
  run(connection: Connection, batch: Batch, values: Values): Promise<void>;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const moment = (epochMs: number): string => new Date(epochMs).toISOString();

const lineOf = ({ id, state, documents, published, opened, name }: Batch): string =>
  [id, state.padEnd('COMMITTED'.length), `${published} of ${documents} published`, moment(opened.at), onOneLine(name)].join('  ');

/** The newest first; each page is asked for when it is needed. */
const listAll = async function* (connection: Connection): AsyncGenerator<Batch> {
  let cursor: string | null = null;
  do {
    const page: AnswerOf<typeof calls.listBatches> = await connection.call(calls.listBatches, {
      query: { limit: '100', ...(cursor === null ? {} : { before: cursor }) },
    });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== null);
};

const findBatch = async (connection: Connection, word: string): Promise<Batch> => {
  const id = safeParse(documentId, word);
  if (id.success) return connection.call(calls.getBatch, { params: { id: id.data } });
  for await (const batch of listAll(connection)) if (batch.name === word) return batch;
  throw new RefusedError(`there is no batch ${onOneLine(word)}`);
};

const writeList = async (connection: Connection, all: boolean): Promise<void> => {
  for await (const batch of listAll(connection)) if (all || ['OPEN', 'COMMITTED', 'WITHDRAWING'].includes(batch.state)) say(lineOf(batch));
};

const show = ({ opened, committed, publishAt, publishedAt, discarded, withdrawn, ...batch }: Batch): void => {
  const steps = Object.entries({ opened, committed, discarded, withdrawn }).flatMap(([word, step]) =>
    step === null ? [] : [`  ${word} ${moment(step.at)} by ${onOneLine(step.keyName)} (${step.keyId})`],
  );
  say(lineOf({ ...batch, opened, committed, publishAt, publishedAt, discarded, withdrawn }));
  for (const step of steps) say(step);
  if (publishAt !== null) say(`  to be published from ${moment(publishAt)}`);
  if (publishedAt !== null) say(`  published ${moment(publishedAt)}`);
  if (withdrawn !== null) say(`  because: ${onOneLine(withdrawn.reason)}`);
};

const csvRows = async function* (connection: Connection, id: string): AsyncGenerator<string> {
  yield 'uniqueName,id,sha256,state,publishedAt,type,cif,cif2,groupId,fileName\n';
  for await (const { uniqueName, id: documentId, sha256, state, publishedAt, ...whose } of readReport(connection, id)) {
    const recipients = [whose.type, whose.cif ?? '', whose.cif2 ?? '', whose.groupId ?? '', whose.fileName];
    const cells = [uniqueName ?? '', documentId, sha256 ?? '', state, publishedAt === null ? '' : moment(publishedAt), ...recipients];
    yield `${cells.map(quoted).join(',')}\n`;
  }
};

const jsonRows = async function* (connection: Connection, id: string): AsyncGenerator<string> {
  for await (const line of readReportLines(connection, id)) yield `${line}\n`;
};

const verbs: Readonly<Record<string, Verb>> = {
  show: {
    options: [],
    async run(_, batch) {
      show(batch);
    },
  },
  commit: {
    options: ['documents', 'at'],
    async run(connection, { id }, { documents = '', at }) {
      if (!/^[1-9]\d{0,8}$/.test(documents)) throw new UsageError(`how many documents must it have? --documents N\n\n${batches.usage}`);
      say(
        await commitBatch(connection, {
          id,
          documents: Number(documents),
          publishAt: at === undefined ? undefined : readMoment('--at', at),
        }),
      );
    },
  },
  discard: {
    options: ['yes'],
    async run(connection, { id, documents }, { yes = false }) {
      if (!yes) throw new UsageError(`discarding removes ${documents} documents and cannot be undone: say --yes`);
      const { name } = await connection.call(calls.discardBatch, { params: { id } });
      say(`discarded ${id}  ${onOneLine(name)}`);
    },
  },
  withdraw: {
    options: ['reason', 'to'],
    async run(connection, { id }, { reason = '', to }) {
      if (reason.trim() === '') throw new UsageError(`say why: --reason TEXT\n\n${batches.usage}`);
      const { name } = await withdrawBatch(connection, id, reason);
      const counts = await writeWithdrawals(readSightings(connection, id), to);
      say(`withdrawn ${id}  ${onOneLine(name)}: ${withdrawalSentence(counts)}`);
    },
  },
  report: {
    options: ['csv', 'to'],
    async run(connection, { id }, { csv = false, to }) {
      const rows = csv ? csvRows(connection, id) : jsonRows(connection, id);
      try {
        await (to === undefined ? pipeline(rows, process.stdout, { end: false }) : pipeline(rows, createWriteStream(to, { mode: 0o600 })));
      } catch (error) {
        if (error instanceof RefusedError) throw error;
        throw new RefusedError(`the report could not be written completely${error instanceof Error ? `: ${error.message}` : ''}`, {
          cause: error,
        });
      }
    },
  },
};

export const batches = {
  usage: `pergamin batches list [--all]
    Batches that are open, being published or being withdrawn, the newest first; --all: the others, too.

pergamin batches show BATCH
    What it has, and when and by which key it was opened and committed. BATCH is its id or its name.

pergamin batches commit BATCH --documents N [--at MOMENT]
    Publishes all of it, at once or from a moment on, which is written like 2026-12-01T06:00:00+01:00. N is how many documents it must have. Waits until
    it is published, unless that is for later.

pergamin batches discard BATCH --yes
    Removes a batch of which nothing is published yet, with its documents. Cannot be undone.

pergamin batches withdraw BATCH --reason TEXT [--to FILE.csv]
    Takes back what was published wrongly, also while it is being released. Documents that nobody has opened are cancelled and leave the lists; the
    others are cancelled, and their recipients are told. Says who has seen what; --to writes a table of all documents. Can be repeated. The key needs the
    scopes documents:status and documents:publish; where batches take a second key, it is not one that filled the batch.

pergamin batches report BATCH [--csv] [--to FILE]
    Every document of it in the order in which they were sent: unique name, id, checksum, state, the moment of its publication, and for whom it is;
    lines of JSON, or a table for spreadsheets.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options, usage: batches.usage });
    const [name = '', word, ...more] = positionals;
    const given = Object.keys(values);
    if (name === 'list' && word === undefined && given.every((option) => option === 'all'))
      return writeList(connection, values.all === true);
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (verb === undefined || word === undefined || more.length > 0 || given.some((option) => !verb.options.some((own) => own === option)))
      throw new UsageError(batches.usage);
    return verb.run(connection, await findBatch(connection, word), values);
  },
};
