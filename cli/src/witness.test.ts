import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cosignedAt, formatVerifierKey, parseCheckpoint, parseVerifierKey, type VerifierKey } from '@pergamin/ledger';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aLog } from './testing/a-log.ts';
import { pergaminProgram, runPergamin } from './testing/run-pergamin.ts';

let folder: string;
let running: ChildProcess[];

const log = aLog();
const logWords = ['--name', 'auditor.example/w1', '--log', formatVerifierKey(log.key)];

interface Witness {
  readonly process: ChildProcess;
  readonly key: VerifierKey;
  readonly url: string;
}

const startWitness = async (): Promise<Witness> => {
  const child = spawn(process.execPath, [pergaminProgram, 'witness', '--folder', join(folder, 'witness'), ...logWords, '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  const key = parseVerifierKey((await next()).replace('witness ', ''));
  return { process: child, key, url: (await next()).replace('listens on ', '') };
};

const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  const ended = once(child, 'exit');
  if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await ended;
};

const submit = async ({ url }: Witness, body: string): Promise<{ status: number; type: string | null; text: string }> => {
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witness-'));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((child) => end(child, 'SIGKILL')));
  await rm(folder, { recursive: true });
});

test('a witness cosigns what continues the log, says what it saw last, and remembers it after kill -9', async () => {
  const first = await startWitness();
  const seen = await submit(first, await log.submission(0, 5));
  expect(seen.status).toBe(200);
  const text = `${log.checkpoint(5).note.text}\n${seen.text}`;
  expect(cosignedAt(parseCheckpoint(text), first.key)).toBeGreaterThan(1_700_000_000);
  await end(first.process, 'SIGKILL');
  const second = await startWitness();
  expect(second.key).toEqual(first.key);
  expect(await submit(second, await log.submission(0, 9))).toEqual({ status: 409, type: 'text/x.tlog.size', text: '5\n' });
  expect(await submit(second, await log.submission(5, 9))).toMatchObject({ status: 200 });
  const origin = createHash('sha256').update(log.key.name).digest('hex');
  const monitored = parseCheckpoint(await (await fetch(`${second.url}/${origin}/checkpoint`)).text());
  expect(monitored.size).toBe(9);
  expect(cosignedAt(monitored, second.key)).toBeDefined();
  await end(second.process, 'SIGTERM');
  expect(second.process.exitCode).toBe(0);
});

test('a witness cosigns one of two histories, and keeps the other tree of the same size as evidence', async () => {
  const witness = await startWitness();
  const fork = aLog(log.key.name, { forkedAt: 3 });
  const bodies: readonly string[] = await Promise.all([log.submission(0, 5), fork.submission(0, 5)]);
  const answers = await Promise.all(bodies.map((body) => submit(witness, body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const other = answers[0]?.status === 200 ? fork : log;
  expect(await submit(witness, await other.submission(5, 5))).toMatchObject({ status: 422 });
  const [kept = ''] = await readdir(join(folder, 'witness/evidence'));
  expect(parseCheckpoint(await readFile(join(folder, 'witness/evidence', kept)))).toEqual(other.checkpoint(5));
  expect(await submit(witness, await other.submission(5, 9))).toMatchObject({ status: 422 });
});

const refused = [
  ['a checkpoint of a log that it does not know', 404, (): Promise<string> => aLog('other.example/log').submission(0, 5)],
  ['a body that is no submission', 400, async (): Promise<string> => 'old 0\n'],
  [
    'a checkpoint whose signature was changed',
    403,
    async (): Promise<string> => (await log.submission(0, 5)).replace(/(— .{40}).{2}/, '$1AB'),
  ],
  ['a body of a megabyte', 413, async (): Promise<string> => 'x'.repeat(1_000_000)],
] as const;

test('a witness refuses what is no next checkpoint of its log, says why by the status, and goes on', async () => {
  const witness = await startWitness();
  let size = 0;
  for (const [what, status, body] of refused) {
    expect([what, (await submit(witness, await body())).status]).toEqual([what, status]);
    expect(await submit(witness, await log.submission(size, size + 5))).toMatchObject({ status: 200 });
    size += 5;
  }
});

test('a second witness of the same folder does not start, and only its owner may read the key', async () => {
  const witness = await startWitness();
  const words = ['witness', '--folder', join(folder, 'witness'), ...logWords, '--port', '0'];
  const second = await runPergamin(words, { folder, environment: {}, isAlone: true });
  expect(second).toMatchObject({ code: 2, out: '', error: expect.stringContaining(`as process ${witness.process.pid}`) });
  expect((await stat(join(folder, 'witness/witness.key'))).mode & 0o777).toBe(0o600);
});

test.for([
  ['no log', ['--name', 'auditor.example/w1']],
  ['a log that is none', ['--name', 'auditor.example/w1', '--log', 'portal.example/log+00000000+AAAA']],
  ['a name with a space', ['--name', 'an auditor', '--log', formatVerifierKey(log.key)]],
  ['a port that is none', [...logWords, '--port', '70000']],
] as const)('a witness with %s ends with exit code 2 and makes no key', async ([, words]) => {
  const ended = await runPergamin(['witness', '--folder', join(folder, 'w'), ...words], { folder, environment: {} });
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(await readdir(folder)).toEqual([]);
});
