import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type BatchReportLine, calls } from '@pergamin/contract';
import { aPdf } from '@pergamin/server/testing/pdfs';
import { type RestartableDatabase, startRestartableDatabase } from '@pergamin/server/testing/restartable-database';
import { createTestDatabase } from '@pergamin/server/testing/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReport } from './batch-report.ts';
import { connect } from './connection.ts';
import { type KillablePortal, type Moment, startKillablePortal } from './testing/killable-portal.ts';
import { pergaminProgram } from './testing/run-pergamin.ts';

const isNight = process.env['NIGHTLY'] === '1';
const kills = 50;
const clients = ['7001', '7002', '7003'];
const documents = 12;
/** So many parts, too: the lines are divided among them. */
const atOnce = 4;

interface Point extends Moment {
  readonly victim: 'portal' | 'command' | 'connection';
  /** Of the calls that fit; parts are many. */
  readonly nth: number;
  /** The portal goes while it releases documents; the commit is not answered. */
  readonly isInRelease?: boolean;
}

/** The same numbers in every run. */
const createSeeded = (seed: number) => {
  let state = seed;
  return (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
};

/** By day: the answer to a part is lost with its connection, a release is broken off with the portal, and a part is lost with the command. */
const dayRuns: readonly (readonly Point[])[] = [
  [
    { call: 'addToBatch', phase: 'answered', victim: 'connection', nth: 2 },
    { call: 'commitBatch', phase: 'answered', victim: 'portal', nth: 1, isInRelease: true },
  ],
  [{ call: 'addToBatch', phase: 'half', victim: 'command', nth: 2 }],
];

/** One point in each run. */
const nightRuns = (): Point[][] => {
  const random = createSeeded(20_261_123);
  const moments: Moment[] = [
    { call: 'openBatch', phase: 'answered' },
    { call: 'checkPublications', phase: 'answered' },
    ...(['asked', 'half', 'answered'] as const).map((phase) => ({ call: 'addToBatch' as const, phase })),
    ...(['asked', 'answered'] as const).map((phase) => ({ call: 'commitBatch' as const, phase })),
    { call: 'getBatch', phase: 'answered' },
  ];
  const all = moments.flatMap((moment) => (['portal', 'command'] as const).map((victim) => ({ ...moment, victim })));
  const chosen: Point[] = [];
  while (chosen.length < kills) {
    chosen.push({ call: 'commitBatch', phase: 'answered', victim: 'portal', nth: 1, isInRelease: true });
    const rest = [...all];
    while (rest.length > 0)
      for (const point of rest.splice(random(rest.length), 1))
        chosen.push({ ...point, nth: point.call === 'addToBatch' ? 1 + random(atOnce) : 1 });
  }
  return chosen.slice(0, kills).map((point) => [point]);
};

let portal: KillablePortal;

const addClients = async (): Promise<void> => {
  const items = clients.map((cif) => ({ personalId: cif, cif, firstName: 'Anna', lastName: 'Nowak' }));
  await connect(portal.environment).call(calls.upsertClients, { body: { items } });
};

beforeAll(async () => {
  portal = await startKillablePortal(createTestDatabase());
  await addClients();
}, 60_000);
afterAll(() => portal[Symbol.asyncDispose](), 60_000);

interface Run {
  readonly name: string;
  readonly checksums: ReadonlyMap<string, string>;
}

const writeManifest = async (name: string): Promise<Run> => {
  await mkdir(join(portal.folder, name));
  const checksums = new Map<string, string>();
  const lines = ['file;type;cif;uniqueName'];
  for (let index = 1; index <= documents; index++) {
    const pdf = aPdf({ text: `${name} ${index}` });
    await writeFile(join(portal.folder, name, `${index}.pdf`), pdf);
    checksums.set(`${name}-${index}`, createHash('sha256').update(pdf).digest('hex'));
    lines.push(`${index}.pdf;PRIVATE;${clients[index % clients.length]};${name}-${index}`);
  }
  await writeFile(join(portal.folder, name, 'manifest.csv'), lines.join('\n'));
  return { name, checksums };
};

/** How many documents of a run each of its clients has. */
const countVisible = async ({ name }: Run): Promise<number[]> => {
  const { rows } = await portal.database.pool.query<{ count: number }>(
    `select count(delivery.document_id)::int as count
     from unnest($1::text[]) as client (cif)
     left join document on document.cif = client.cif and document.unique_name like $2
     left join delivery on delivery.document_id = document.id and delivery.principal = 'cif:' || client.cif
     group by client.cif`,
    [clients, `${name}-%`],
  );
  return rows.map(({ count }) => count);
};

const all = documents / clients.length;

/** A document is locked, so that its release is begun and cannot be ended. */
const lockOne = async ({ name }: Run) => {
  const { pool } = portal.database.owner;
  const held = await pool.connect();
  await held.query('begin');
  await held.query(`select from document where unique_name like $1 limit 1 for update`, [`${name}-%`]);
  const findWaiting = async (): Promise<number[]> => {
    const { rows } = await pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rows.map(({ pid }) => pid);
  };
  return {
    async killWaiting() {
      await expect.poll(findWaiting, { interval: 20 }).not.toEqual([]);
      await portal.replace();
      // A statement that waits for a lock does not notice that its client is gone.
      for (const pid of await findWaiting()) await held.query('select pg_terminate_backend($1, 5000)', [pid]);
      await held.query('rollback');
      held.release();
    },
    /** Its connection is gone. */
    forget: () => held.release(true),
  };
};

const startCommand = ({ name }: Run) => {
  const child = spawn(
    process.execPath,
    [pergaminProgram, 'publish', `${name}/manifest.csv`, `--batch=${name}`, '--at-once', String(atOnce), '--report', `${name}.csv`],
    {
      cwd: portal.folder,
      // A command that is killed leaves its temporary files.
      env: { ...portal.environment, TMPDIR: portal.folder, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
    },
  );
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return {
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

const isCommittedBy = ({ call, phase, isInRelease = false }: Point): boolean =>
  (call === 'commitBatch' && phase === 'answered' && !isInRelease) || call === 'getBatch';

/**
 * Runs the command until it ends by itself, and breaks off once at each point. Only the last one may kill the command, as parts of a killed one still
 * arrive. Answers with what it said at last.
 */
const publishThrough = async (run: Run, points: readonly Point[]) => {
  let command = startCommand(run);
  let lock: Awaited<ReturnType<typeof lockOne>> | undefined;
  let broken = 0;
  let met = 0;
  /** Of each client, after each point. */
  const visible: number[][] = [];
  const breakOff = async ({ victim }: Point): Promise<void> => {
    if (lock !== undefined) await lock.killWaiting();
    else if (victim === 'portal') await portal.replace();
    else if (victim === 'command') await command.kill();
  };
  portal.isBroken = async ({ call, phase }) => {
    const point = points[broken];
    if (point?.isInRelease === true && call === 'commitBatch' && phase === 'asked') lock ??= await lockOne(run);
    if (point === undefined || call !== point.call || phase !== point.phase) return false;
    met += 1;
    if (met !== point.nth) return false;
    broken += 1;
    met = 0;
    await breakOff(point);
    visible.push(await countVisible(run));
    return true;
  };
  await command.ended;
  if (points.at(-1)?.victim === 'command') command = startCommand(run);
  const [out, error, [code]] = await command.ended;
  // Each client has all of theirs or none; before the commit, none.
  for (const [index, point] of points.entries()) {
    const allowed = isCommittedBy(point) ? [0, all] : [0];
    expect(visible[index]?.filter((count) => !allowed.includes(count))).toEqual([]);
    expect(visible[index]).toHaveLength(clients.length);
  }
  return { out, error, code };
};

const expectPublished = async ({ name, checksums }: Run): Promise<void> => {
  const { db } = portal.database;
  const rows = await db
    .selectFrom('document')
    .innerJoin('publication', 'publication.document_id', 'document.id')
    .select([
      'id',
      'unique_name',
      'file_name',
      'type',
      'document.cif',
      'document.cif2',
      'document.group_id',
      'document.sha256',
      'published_at',
    ])
    .where('unique_name', 'like', `${name}-%`)
    .execute();
  const byName = (one: { uniqueName: string | null }, other: { uniqueName: string | null }): number =>
    (one.uniqueName ?? '').localeCompare(other.uniqueName ?? '');
  const kept = rows.map(({ id, unique_name: uniqueName, sha256, published_at: at, ...whose }) => ({
    uniqueName,
    fileName: whose.file_name,
    type: whose.type,
    cif: whose.cif,
    cif2: whose.cif2,
    groupId: whose.group_id,
    id,
    sha256,
    at: at?.getTime(),
  }));
  expect(kept.map(({ uniqueName, sha256 }) => [uniqueName, sha256]).toSorted()).toEqual([...checksums].toSorted());
  expect(await countVisible({ name, checksums })).toEqual(clients.map(() => all));
  const connection = connect(portal.environment);
  const { items } = await connection.call(calls.listBatches, { query: { limit: '1' } });
  expect(items).toEqual([expect.objectContaining({ name, state: 'PUBLISHED', documents, published: documents })]);
  const reported: BatchReportLine[] = [];
  for await (const line of readReport(connection, items[0]?.id ?? '')) reported.push(line);
  expect(reported.toSorted(byName)).toEqual(
    kept.map(({ at, ...document }) => ({ ...document, state: 'ACTIVE', publishedAt: at })).toSorted(byName),
  );
  const told = (await readFile(join(portal.folder, `${name}.csv`), 'utf8')).trim().split('\n').slice(1);
  expect(told.map((row) => row.split(',').slice(0, 2).join(' ')).toSorted()).toEqual(
    Array.from({ length: documents }, (_, index) => `${index + 2} added`).toSorted(),
  );
};

test(
  'a batch is published as its manifest says, wherever the portal or the command is killed: nothing twice, nothing lost, and for each client at once',
  { timeout: isNight ? 900_000 : 180_000 },
  async () => {
    for (const [index, points] of (isNight ? nightRuns() : dayRuns).entries()) {
      const run = await writeManifest(`night-${index + 1}`);
      const { out, error, code } = await publishThrough(run, points);
      expect({ points, code, error }).toEqual({ points, code: 0, error: expect.stringMatching(/^batch \S+ (?:is opened|goes on)/) });
      expect(out).toMatch(
        new RegExp(`^in the batch ${documents}, published before 0, refused 0\nbatch \\S+: published ${documents} documents\n$`),
      );
      await expectPublished(run);
    }
  },
);

describe.runIf(isNight && process.platform === 'linux')('a restart of PostgreSQL', () => {
  let restarted: KillablePortal<RestartableDatabase>;

  beforeAll(async () => {
    await portal[Symbol.asyncDispose]();
    restarted = await startKillablePortal(startRestartableDatabase());
    portal = restarted;
    await addClients();
  }, 120_000);

  const moments: readonly (readonly [string, Moment & { readonly nth: number }])[] = [
    ['while parts are sent', { call: 'addToBatch', phase: 'half', nth: 2 }],
    ['before the answer to a part is heard', { call: 'addToBatch', phase: 'answered', nth: 3 }],
    ['with the commit', { call: 'commitBatch', phase: 'asked', nth: 1 }],
    ['in the middle of the release', { call: 'commitBatch', phase: 'answered', nth: 1 }],
  ];

  test.each(moments)('%s loses nothing and publishes nothing twice', { timeout: 300_000 }, async (when, point) => {
    const run = await writeManifest(when.replaceAll(' ', '-'));
    const { database } = restarted;
    let met = 0;
    let lock: Awaited<ReturnType<typeof lockOne>> | undefined;
    restarted.isBroken = async ({ call, phase }) => {
      // The release cannot end before the restart, which ends this transaction, too.
      if (point.call === 'commitBatch' && point.phase === 'answered' && call === 'commitBatch' && phase === 'asked')
        lock = await lockOne(run);
      if (call !== point.call || phase !== point.phase) return false;
      met += 1;
      if (met === point.nth) await database.restart();
      return false;
    };
    const [out, error, [code]] = await startCommand(run).ended;
    lock?.forget();
    expect({ code, error, met: met >= point.nth }).toEqual({ code: 0, error: expect.stringMatching(/^batch \S+ is opened/), met: true });
    expect(out).toContain(`published ${documents} documents`);
    await expectPublished(run);
  });
});
