import { execFile } from 'node:child_process';
import { chmod, chown, lstat, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { listProcessesLeftAfter, startEmbeddedPostgresProcess } from '#testing/start-embedded-postgres-process.ts';
import type { DatabaseConnection } from '../connection.ts';
import { listAbandoned } from './abandoned.ts';
import { AlreadyRunningError, startEmbeddedPostgres } from './embedded-postgres.ts';
import { handOver } from './hand-over.ts';
import { findUser, isRoot, type OperatingSystemUser } from './operating-system-user.ts';

const NOTHING_LEFT_WITHIN_MS = 5_000;

let top: string;
/** Everybody may enter it. */
let folder: string;
/** Only root may enter it. */
let closed: string;
let stateFolder: string;

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'pergamin-root-')));
  await chmod(top, 0o711);
  stateFolder = join(top, 'state');
});
beforeEach(async () => {
  folder = await mkdtemp(join(top, 'test-'));
  await chmod(folder, 0o711);
  closed = await mkdtemp(join(folder, 'closed-'));
});
afterAll(async () => rm(top, { recursive: true, force: true }));

const listIds = async (): Promise<string[]> => (await readdir(stateFolder)).filter((name) => /^[0-9a-f]{16}$/.test(name));

const start = async (dataDir: string) => startEmbeddedPostgres({ dataDir, stateFolder, log: silentLog() });

async function ask(connection: DatabaseConnection, text: string): Promise<unknown> {
  const client = new Client({ ...connection });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

async function getUser(name: string): Promise<OperatingSystemUser> {
  const user = await findUser(name);
  if (user === undefined) throw new Error(`there is no user ${name}`);
  return user;
}

const canRunNode = async ({ uid, gid }: OperatingSystemUser): Promise<boolean> =>
  promisify(execFile)(process.execPath, ['--version'], { uid, gid, cwd: '/' }).then(
    () => true,
    () => false,
  );

/** Says hello to PostgreSQL, and prints the first letter of its answer: R asks for (or waives) a password, E is a refusal. */
const helloProgram = `
  const words = Buffer.from('user\\0pergamin\\0database\\0pergamin\\0\\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + words.length, 0);
  head.writeInt32BE(196608, 4);
  const socket = require('node:net').connect(process.argv[1], () => socket.write(Buffer.concat([head, words])));
  socket.on('data', (answer) => { console.log(String.fromCharCode(answer[0]), answer.toString('latin1')); socket.destroy(); });
  socket.on('error', (error) => console.log(error.code));`;

describe.skipIf(!isRoot())('started by root (skipped for others)', () => {
  /** A data folder whose database exists and is not running: making one takes longer than starting it. */
  let made: string;
  beforeAll(async () => {
    made = join(top, 'made');
    await (await start(made)).stop();
  }, 60_000);

  test('PostgreSQL runs as a user of its own, inside the data folder, which stays closed to others', async () => {
    const dataDir = made;
    const postgres = await start(dataDir);
    const { uid, gid } = await getUser('pergamin');
    expect((await stat(join('/proc', String(postgres.pid)))).uid).toBe(uid);
    expect((await stat(join(dataDir, 'postgres', 'data', 'PG_VERSION'))).uid).toBe(uid);
    expect(await stat(dataDir)).toMatchObject({ uid: 0, gid, mode: 0o040_710 });
    await postgres.stop();
    expect(await listIds()).toEqual([]);
  });

  test('root does not start the database in a data folder of an ordinary user, as that user would be locked out', async () => {
    const dataDir = await mkdtemp(join(folder, 'data-'));
    const nobody = await getUser('nobody');
    await chown(dataDir, nobody.uid, nobody.gid);
    await expect(start(dataDir)).rejects.toThrow(`${dataDir} belongs to nobody: start as that user`);
  });

  describe('a database outside of its data folder, which only root may enter', () => {
    let dataDir: string;
    let moved: string;
    beforeAll(async () => {
      const closedFolder = await mkdtemp(join(top, 'closed-'));
      dataDir = join(closedFolder, 'data');
      moved = join(closedFolder, 'being moved');
      const first = await start(dataDir);
      await ask(first.connection, 'create table paper as select 1 as number');
      await first.stop();
    }, 60_000);

    test('no start removes the database of a data folder that is not there at that moment', async () => {
      expect(await readdir(dataDir)).toContain('instance');
      await rename(dataDir, moved);

      const another = await start(made);
      await another.stop();
      expect(await listAbandoned(stateFolder)).toMatchObject([{ dataDir, hasDataDir: false }]);

      await rename(moved, dataDir);
      const second = await start(dataDir);
      expect(await ask(second.connection, 'select number from paper')).toBe(1);
      await second.stop();
      expect(await listAbandoned(stateFolder)).toEqual([]);
    });

    test('a database that ran as nobody until now runs as the new user, where it was', async () => {
      const [nobody, pergamin] = [await getUser('nobody'), await getUser('pergamin')];
      const id = (await readFile(join(dataDir, 'instance'), 'utf8')).trim();
      handOver(join(stateFolder, id), { from: [pergamin.uid, 0], to: nobody });
      expect((await stat(join(stateFolder, id, 'data', 'base'))).uid).toBe(nobody.uid);

      const second = await start(dataDir);
      expect(await ask(second.connection, 'select number from paper')).toBe(1);
      expect((await stat(join('/proc', String(second.pid)))).uid).toBe(pergamin.uid);
      await second.stop();
    });
  });

  test('a link in a folder that is handed over leads to nothing that changes hands', async () => {
    const outside = join(folder, 'outside');
    await writeFile(outside, '');
    await symlink(outside, join(closed, 'link'));
    const nobody = await getUser('nobody');
    handOver(closed, { from: [0], to: nobody });
    expect((await stat(outside)).uid).toBe(0);
    expect((await lstat(join(closed, 'link'))).uid).toBe(nobody.uid);
    expect((await lstat(closed)).uid).toBe(nobody.uid);
  });

  test('no process of another user gets in, even one that reaches the socket', async ({ skip }) => {
    const nobody = await getUser('nobody');
    skip(!(await canRunNode(nobody)), 'the Node of this checkout is closed to ordinary users');
    const { connection, stop } = await start(made);
    const socket = join(connection.host, '.s.PGSQL.5432');
    await chmod(connection.host, 0o755);
    await chmod(socket, 0o777);
    const { uid, gid } = nobody;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', helloProgram, socket], { uid, gid, cwd: '/' });
    expect(stdout).toMatch(/^E .*Peer authentication failed/s);
    await stop();
  });

  test('an ordinary user has everything in the data folder, which root then leaves alone', async ({ skip }) => {
    const { uid, gid, ...nobody } = await getUser('nobody');
    skip(!(await canRunNode({ uid, gid, ...nobody })), 'this checkout is closed to ordinary users');
    const ownFolder = await mkdtemp(join(folder, 'own-'));
    await chown(ownFolder, uid, gid);

    const first = await startEmbeddedPostgresProcess({ dataDir: ownFolder, uid });
    expect((await stat(join('/proc', String(first.postmaster)))).uid).toBe(uid);
    expect(first.dataFolder).toBe(join(ownFolder, 'postgres', 'data'));
    await expect(start(ownFolder)).rejects.toBeInstanceOf(AlreadyRunningError);
    await first.kill();
    expect(await listProcessesLeftAfter({ dataFolder: first.dataFolder, waitMs: NOTHING_LEFT_WITHIN_MS })).toEqual([]);

    await using second = await startEmbeddedPostgresProcess({ dataDir: ownFolder, uid });
    expect(await ask(second.connection, 'select 1')).toBe(1);
    await expect(stat(first.connection.host)).rejects.toMatchObject({ code: 'ENOENT' });
    await second.stop();
    await expect(start(ownFolder)).rejects.toThrow('belongs to nobody: start as that user');
  });
});
