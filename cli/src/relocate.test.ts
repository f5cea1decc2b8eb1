import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { aPdf } from '@pergamin/server/testing/pdfs';
import { hasRadosgw, startRadosgw } from '@pergamin/server/testing/radosgw';
import { createTestDatabase } from '@pergamin/server/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { relocatePath } from './server-program.ts';
import { type Ended, freePort, pergaminProgram, portOf, runPergamin } from './testing/run-pergamin.ts';

const main = join(dirname(relocatePath), 'main.ts');
const isNight = process.env['NIGHTLY'] === '1';
const isInBucket = isNight && hasRadosgw();

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-relocate-'));
  // PostgreSQL runs as an ordinary user below it.
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string>>;

const pergamin = (args: string[], environment: Environment, isAlone = false): Promise<Ended> =>
  runPergamin(args, { folder, environment, isAlone });

/** As `pergamin settings` ends. */
const describeStore = async (environment: Environment): Promise<string | undefined> =>
  (await pergamin(['settings'], environment)).out.trimEnd().split('\n').at(-1);

/** The product as an operator starts it. Undefined, with what it said, when it does not start. */
const start = async (environment: Environment) => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [main], { env: { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'fatal', ...environment } });
  const exited = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  const isReady = await new Promise<boolean>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('Pergamin is ready') && resolve(true));
    child.once('exit', () => resolve(false));
  });
  return {
    isReady,
    said: () => said,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
};

/** Root has started the portal, which goes on as an ordinary user. */
const makeForPortal = async (path: string, dataDir: string): Promise<void> => {
  const { uid, gid } = await stat(dataDir);
  await mkdir(path);
  await chown(path, uid, gid);
};

const listed = z.object({ items: z.tuple([z.object({ id: z.string() })]) });

const findPublic = async (url: string): Promise<string> => {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/open/documents/list`, { method: 'POST', headers, body: '{}' });
  return listed.parse(await answer.json()).items[0].id;
};

const fetchDocument = async (url: string, id: string): Promise<Buffer> => {
  const answer = await fetch(`${url}/api/open/documents/download/${id}`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

test('a relocation says how it is used when no store is named, or two are', async () => {
  for (const args of [[], ['--to', 'a', '--from', 'b'], ['--remove'], ['a']])
    expect(await pergamin(['relocate', ...args], {})).toMatchObject({ code: 2, error: expect.stringContaining('pergamin relocate --to') });
});

test('documents move to another store, and the portal goes on there and nowhere else', { timeout: 300_000 }, async () => {
  await using gateway = isInBucket ? await startRadosgw() : undefined;
  const bucket = await gateway?.createBucket({ lock: true });
  // At night the database is the portal's own, which each command starts and stops.
  await using database = isNight ? undefined : await createTestDatabase();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const dataDir = join(folder, 'data');
  const environment = {
    DATA_DIR: dataDir,
    DEMO: 'off',
    NOTICES: 'never',
    RENDER_WORKERS: '1',
    PORT: String(port),
    METRICS_PORT: String(await freePort()),
    PERGAMIN_URL: url,
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
    ...(bucket === undefined
      ? {}
      : { S3_ACCESS_KEY_ID: bucket.credentials?.accessKeyId ?? '', S3_SECRET_ACCESS_KEY: bucket.credentials?.secretAccessKey ?? '' }),
  };
  const target = bucket === undefined ? join(folder, 'other') : `${bucket.endpoint}/${bucket.bucket}`;
  const pdf = aPdf({ text: 'Taryfa' });
  await writeFile(join(folder, 'a.pdf'), pdf);
  let id = '';
  {
    await using portal = await start(environment);
    expect(portal.said()).toBe('');
    const PERGAMIN_KEY = (await readFile(join(dataDir, 'publisher.key'), 'utf8')).trim();
    const ended = await pergamin(['publish', 'a.pdf', '--type', 'PUBLIC', '--name', 'Tariff'], { ...environment, PERGAMIN_KEY });
    expect([ended.code, ended.error]).toEqual([0, '']);
    id = await findPublic(url);
    expect(await describeStore(environment)).toMatch(/^Objects: \S+, lock: none$/);
    if (bucket === undefined) await makeForPortal(target, dataDir);
    const copied = await pergamin(['relocate', '--to', target], environment);
    expect([copied.code, copied.error, copied.out]).toEqual([0, '', expect.stringContaining('A portal is at work')]);
    expect((await fetchDocument(url, id)).equals(Buffer.from(pdf))).toBe(true);
  }
  const moved = await pergamin(['relocate', '--to', target], environment, true);
  // What the start of a database says beside it is the machine's.
  expect([moved.code, moved.out]).toEqual([0, expect.stringContaining(`All documents are in ${target} now`)]);
  {
    await using former = await start(environment);
    expect([former.isReady, former.said()]).toEqual([false, expect.stringContaining('holds the objects of another database')]);
  }
  const left = join(folder, 'left');
  await rename(join(dataDir, 'objects'), left);
  if (bucket === undefined) await rename(target, join(dataDir, 'objects'));
  const present = { ...environment, ...(bucket === undefined ? {} : { OBJECTS_URL: target }) };
  const removed = await pergamin(['relocate', '--remove', '--from', left], present);
  expect([removed.code, removed.out]).toEqual([0, expect.stringContaining('1 objects')]);
  await using later = await start(present);
  expect([later.isReady, later.said()]).toEqual([true, '']);
  expect((await fetchDocument(url, id)).equals(Buffer.from(pdf))).toBe(true);

  if (bucket === undefined) return;
  expect(await describeStore(present)).toMatch(/^Objects: \S+, lock: compliance$/);
  const refused = await pergamin(['backup', 'taken', '--keys', 'keys'], present);
  expect([refused.code, refused.error]).toEqual([1, expect.stringMatching(/pergamin: OBJECTS_URL: the documents are in a bucket/)]);
  expect((await pergamin(['backup', 'taken', '--keys', 'keys', '--without-objects'], present)).code).toBe(0);
});

/** Debian's own, which is older than what the product runs on: the command then runs in a process behind it. */
const otherNode = '/usr/bin/node';
const nodes = [process.execPath, ...(existsSync(otherNode) ? [otherNode] : [])];

test.each(nodes)(
  'a relocation by %s ends with its command, also when that is killed, and the next one goes on',
  { timeout: 60_000 },
  async (node) => {
    await using database = await createTestDatabase();
    // A store that never answers: the relocation waits for it.
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<Socket>();
    await using silent = createServer((socket) => isAsked(socket.on('error', () => {}))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const dataDir = join(folder, randomUUID());
    const environment = {
      PATH,
      NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    const command = spawn(node, [pergaminProgram, 'relocate', '--to', `http://127.0.0.1:${portOf(silent)}/documents`], {
      env: environment,
      stdio: 'ignore',
    });
    const waiting = await asked;
    const ended = once(waiting.resume(), 'close');
    command.kill('SIGKILL');
    await ended;
    const next = await pergamin(['relocate', '--to', join(dataDir, 'other')], environment, true);
    expect([next.code, next.error]).toEqual([1, expect.stringContaining('is not the folder of objects that the database knows')]);
  },
);
