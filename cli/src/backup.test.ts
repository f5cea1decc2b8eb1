import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile, chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { aPdf } from '@pergamin/server/testing/pdfs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { backupPath } from './server-program.ts';
import { type Ended, freePort, runPergamin } from './testing/run-pergamin.ts';

const main = join(dirname(backupPath), 'main.ts');

const listed = z.object({ items: z.array(z.object({ id: z.string() })) });
const policyAnswer = z.object({ policy: z.string() });

const isNight = process.env['NIGHTLY'] === '1';

let folder: string;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-backup-'));
  // PostgreSQL runs as an ordinary user below it.
  await chmod(folder, 0o755);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(
    [...children].filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null).map((child) => once(child, 'exit')),
  );
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** The product as an operator starts it, with its own PostgreSQL. */
const start = async (name: string): Promise<Running> => {
  const port = await freePort();
  const dataDir = join(folder, name);
  const settings = {
    DATA_DIR: dataDir,
    DEMO: 'off',
    NOTICES: 'never',
    RENDER_WORKERS: '1',
    PORT: String(port),
    METRICS_PORT: String(await freePort()),
  };
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [main], {
    env: { PATH, NODE_COMPILE_CACHE, LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  const lines = createInterface({ input: child.stdout });
  const isReady = await new Promise<boolean>((resolve) => {
    lines.on('line', (line) => line.startsWith('Pergamin is ready') && resolve(true));
    child.once('exit', () => resolve(false));
  });
  if (!isReady) throw new Error('the portal did not start');
  const key = (await readFile(join(dataDir, 'publisher.key'), 'utf8').catch(() => '')).trim();
  return {
    environment: { ...settings, PERGAMIN_URL: `http://localhost:${port}`, ...(key === '' ? {} : { PERGAMIN_KEY: key }) },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
};

const pergamin = (args: string[], environment: Readonly<Record<string, string>>, isAlone = false): Promise<Ended> =>
  runPergamin(args, { folder, environment, isAlone });

const listPublic = async (url: string): Promise<readonly string[]> => {
  const answer = await fetch(`${url}/api/open/documents/list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ size: 100 }),
  });
  expect(answer.status).toBe(200);
  const { items } = listed.parse(await answer.json());
  return items.map(({ id }) => id).toSorted();
};

const fetchFile = async (address: string, path: string): Promise<void> => {
  const answer = await fetch(address);
  expect([address, answer.status]).toEqual([address, 200]);
  await writeFile(join(folder, path), Buffer.from(await answer.arrayBuffer()));
};

const publish = async (nth: number, environment: Readonly<Record<string, string>>): Promise<void> => {
  await writeFile(join(folder, `${nth}.pdf`), aPdf({ text: `Document ${nth}` }));
  const ended = await pergamin(['publish', `${nth}.pdf`, '--type', 'PUBLIC', '--name', `Tariff ${nth}`], environment);
  expect([nth, ended.code, ended.error]).toEqual([nth, 0, '']);
};

/** The bytes as the portal gives them, by their receipts, without asking that portal whether they are right. */
const verify = async (ids: readonly string[], url: string): Promise<void> => {
  const ledger = policyAnswer.parse(await (await fetch(`${url}/api/open/ledger`)).json());
  await writeFile(join(folder, 'policy'), ledger.policy);
  for (const id of ids) {
    await fetchFile(`${url}/api/open/documents/download/${id}`, 'read.pdf');
    await fetchFile(`${url}/api/open/documents/receipt/${id}`, 'read.tlog-proof');
    expect((await pergamin(['verify', 'read.pdf', 'read.tlog-proof', '--policy', 'policy'], {})).code).toBe(0);
  }
};

/** As backups of before are: nothing authenticates it, and somebody has put a command into its configuration of PostgreSQL and its list. */
const poison = async (marker: string): Promise<void> => {
  await cp(join(folder, 'taken'), join(folder, 'old'), { recursive: true });
  await cp(join(folder, 'keys'), join(folder, 'old-keys'), { recursive: true });
  await rm(join(folder, 'old', 'files.sha256.hmac'));
  await rm(join(folder, 'old-keys', 'backup.key'));
  const ofKeys = await readFile(join(folder, 'old-keys', 'files.sha256'), 'utf8');
  await rm(join(folder, 'old-keys', 'files.sha256'));
  await writeFile(join(folder, 'old-keys', 'files.sha256'), ofKeys.replace(/^.*backup\.key\n/m, ''));
  const text = `archive_mode = on\narchive_command = 'touch ${marker}'\nrestore_command = 'touch ${marker}'\n`;
  await writeFile(join(folder, 'old', 'postgres', 'postgresql.auto.conf'), text);
  await chmod(join(folder, 'old', 'files.sha256'), 0o600);
  const line = `${createHash('sha256').update(text).digest('hex')}  postgres/postgresql.auto.conf\n`;
  await appendFile(join(folder, 'old', 'files.sha256'), line);
};

const startsNothingOfAPoisonedBackup = async (): Promise<void> => {
  const marker = join(folder, 'marker');
  await poison(marker);
  const environment = { DATA_DIR: join(folder, 'poisoned') };
  const words = ['old', '--keys', 'old-keys'];
  for (const verb of ['verify-backup', 'restore']) {
    const refused = await pergamin([verb, ...words], environment);
    expect([verb, refused.code, refused.error]).toEqual([verb, 1, expect.stringMatching(/old is not authenticated: .*--unauthenticated/)]);
  }
  const told = await pergamin(['verify-backup', ...words, '--unauthenticated'], {});
  expect([told.code, told.out]).toEqual([0, expect.stringContaining('NOBODY AUTHENTICATED THE LIST')]);
  const unasked = await pergamin(['restore', ...words, '--unauthenticated'], environment, true);
  expect([unasked.code, unasked.error]).toEqual([1, expect.stringContaining('nothing was restored: say --yes')]);
  expect((await pergamin(['restore', ...words, '--unauthenticated', '--yes'], environment)).code).toBe(0);
  const portal = await start('poisoned');
  await portal.stop();
  expect(existsSync(marker)).toBe(false);
};

test(
  'a backup that was taken while documents were published is restored elsewhere: each document opens, each receipt verifies',
  { timeout: 300_000 },
  async () => {
    const first = await start('first');
    for (const nth of [1, 2]) await publish(nth, first.environment);
    const publishing = (async () => {
      for (let nth = 3; nth <= (isNight ? 8 : 5); nth += 1) await publish(nth, first.environment);
    })();
    const taken = await pergamin(['backup', 'taken', '--keys', 'keys'], first.environment, true);
    expect([taken.error, taken.code]).toEqual(['', 0]);
    await publishing;
    const again = await pergamin(['backup', 'taken', '--keys', 'other'], first.environment);
    expect([again.code, again.error]).toEqual([1, 'pergamin: taken is not empty: a backup gets a folder of its own\n']);
    await first.stop();

    expect((await pergamin(['verify-backup', 'taken', '--keys', 'keys'], {})).code).toBe(0);
    const there = await pergamin(['restore', 'taken', '--keys', 'keys'], first.environment);
    expect([there.code, there.error]).toEqual([1, expect.stringContaining('is not empty, and a restore overwrites nothing')]);

    const elsewhere = { DATA_DIR: join(folder, 'second') };
    const restored = await pergamin(['restore', 'taken', '--keys', 'keys'], elsewhere);
    expect([restored.error, restored.code]).toEqual(['', 0]);
    const second = await start('second');
    const environment = { ...first.environment, ...second.environment, PERGAMIN_KEY: first.environment['PERGAMIN_KEY'] ?? '' };
    const url = second.environment['PERGAMIN_URL'] ?? '';
    const kept = await listPublic(url);
    expect(kept.length).toBeGreaterThanOrEqual(2);
    await verify(kept, url);
    await publish(13, environment);
    const after = await listPublic(url);
    expect(after).toHaveLength(kept.length + 1);
    expect(after).toEqual(expect.arrayContaining([...kept]));
    await verify(
      after.filter((id) => !kept.includes(id)),
      url,
    );
    await second.stop();
    await startsNothingOfAPoisonedBackup();
    const [, object = ''] =
      /^[0-9a-f]{64} {2}(objects\/[0-9a-f]{2}\/.+)$/m.exec(await readFile(join(folder, 'taken', 'files.sha256'), 'utf8')) ?? [];
    await chmod(join(folder, 'taken', object), 0o600);
    await appendFile(join(folder, 'taken', object), ' ');
    const damaged = await pergamin(['verify-backup', 'taken', '--keys', 'keys'], {});
    expect([damaged.code, damaged.error]).toEqual([1, expect.stringContaining(`are missing or were changed: ${object}\n`)]);
    const refused = await pergamin(['restore', 'taken', '--keys', 'keys'], { DATA_DIR: join(folder, 'third') });
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining(`pergamin: ${object} of`)]);
    // Last, as it starts the database itself: the process that a program of root has left as root runs nothing else.
    const audited = await pergamin(['audit'], second.environment);
    expect([audited.out, audited.code]).toEqual([expect.stringContaining('all is well'), 0]);
  },
);

test.each([
  [['backup', 'one']],
  [['restore', 'one']],
  [['verify-backup']],
  [['backup', 'one', 'two', '--keys', 'three']],
  [['backup', 'one', '--keys', 'two', '--unauthenticated']],
])('the words %j end with 2', async (words) => {
  expect((await pergamin(words, {})).code).toBe(2);
});
