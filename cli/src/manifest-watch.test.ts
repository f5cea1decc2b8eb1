import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { RefusedError, UsageError } from './errors.ts';
import { watchManifests } from './manifest-watch.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-watch-'));
});

afterEach(() => rm(folder, { recursive: true }));

type Watch = Parameters<typeof watchManifests>[0];

interface Watched {
  /** What the manifest held each time it was published. */
  readonly published: string[];
  readonly said: string[];
}

/** Watches until the end of the test. `onPublish` answers whether no line was refused. */
const watch = ({
  onPublish = async () => true,
  ...more
}: Partial<Watch> & { onPublish?: (manifest: string, times: number) => Promise<boolean> } = {}): Watched => {
  const watched: Watched = { published: [], said: [] };
  const stopping = new AbortController();
  const ended = watchManifests({
    folder,
    stateOfFiles: async () => 'the same',
    say: (text) => void watched.said.push(text),
    signal: stopping.signal,
    quietMs: 20,
    onlyReady: false,
    retryMs: 20,
    async publish(manifest, reportPath) {
      watched.published.push(await readFile(manifest, 'utf8'));
      await writeFile(reportPath, 'report');
      return onPublish(manifest, watched.published.length);
    },
    ...more,
  });
  onTestFinished(async () => {
    stopping.abort();
    await ended;
  });
  return watched;
};

const put = (name: string, content = 'file\n'): Promise<void> => writeFile(join(folder, name), content);
const namesIn = (place: string): Promise<string[]> =>
  readdir(join(folder, place)).then(
    (names) => names.toSorted(),
    () => [],
  );
const settled = async (place: string, name: string): Promise<void> => {
  await expect.poll(() => namesIn(place)).toEqual([name, `${name}.report.csv`]);
};

test('a manifest that grows while it is published is taken again, and filed when all of it is published', async () => {
  await put('a.csv', '1\n');
  const { published, said } = watch({
    onPublish: async (manifest, times) => {
      if (times < 3) await appendFile(manifest, `${times + 1}\n`);
      return true;
    },
  });
  await settled('done', 'a.csv');
  expect(published).toEqual(['1\n', '1\n2\n', '1\n2\n3\n']);
  expect(said.filter((text) => text.includes('taken again'))).toHaveLength(2);
});

test('a manifest that grows again and again in the quiet time is not begun before it stays the same', async () => {
  await put('a.csv', '0\n');
  let rows = 0;
  const { published } = watch({
    async stateOfFiles(manifest) {
      rows += 1;
      if (rows < 5) await appendFile(manifest, `${rows}\n`);
      return 'the same';
    },
  });
  await settled('done', 'a.csv');
  expect(published).toEqual(['0\n1\n2\n3\n4\n']);
});

test('a PDF or an archive that is still being copied makes its manifest wait', async () => {
  await put('a.csv');
  let looks = 0;
  const { published } = watch({
    async stateOfFiles() {
      expect(published).toEqual([]);
      looks += 1;
      return String(Math.min(looks, 4));
    },
  });
  await settled('done', 'a.csv');
  expect([looks, published.length]).toEqual([5, 1]);
});

test('a line that was refused for a file that has changed meanwhile is judged again', async () => {
  await put('a.csv');
  let state = 'half';
  const { published } = watch({
    stateOfFiles: async () => state,
    onPublish: async (_, times) => {
      state = 'whole';
      return times > 1;
    },
  });
  await settled('done', 'a.csv');
  expect(published).toHaveLength(2);
});

test('a line that arrives after the move is told', async () => {
  await put('a.csv');
  const { said } = watch();
  await settled('done', 'a.csv');
  await expect.poll(() => said).toContain('a.csv: moved to done');
  await appendFile(join(folder, 'done', 'a.csv'), 'late\n');
  await expect.poll(() => said).toContainEqual(expect.stringContaining('a.csv: was changed after it had been moved to done'));
});

test('with --only-ready a manifest is begun by its .ready file alone, which goes with it', async () => {
  for (const name of ['a.csv', 'b.csv', 'c.jsonl', 'b.csv.ready', 'c.ready']) await put(name);
  const { published } = watch({ onlyReady: true, quietMs: 86_400_000 });
  await expect.poll(() => namesIn('done')).toEqual(['b.csv', 'b.csv.report.csv', 'c.jsonl', 'c.jsonl.report.csv']);
  await expect.poll(() => namesIn('.')).toEqual(['a.csv', 'done']);
  expect(published).toHaveLength(2);
});

test('a .ready file without its manifest, left by a process that was killed, begins none later', async () => {
  await put('a.csv.ready');
  watch({ onlyReady: true });
  await expect.poll(() => namesIn('.')).toEqual([]);
});

test('what cannot be read is filed under failed with a sentence, and locks of spreadsheets are left alone', async () => {
  for (const name of ['a.xlsx', '~$a.xlsx', '.b.csv', 'c.csv.part']) await put(name);
  watch({ publish: () => Promise.reject(new UsageError('line 1: file missing')) });
  await settled('failed', 'a.xlsx');
  expect(await readFile(join(folder, 'failed', 'a.xlsx.report.csv'), 'utf8')).toBe('line 1: file missing\n');
  expect(await namesIn('.')).toEqual(['.b.csv', 'c.csv.part', 'failed', '~$a.xlsx']);
});

test('an empty manifest is told, and waits for its lines', async () => {
  await put('a.csv', '');
  const { published, said } = watch();
  await expect.poll(() => said).toEqual(['a.csv: is empty, and waits for its lines']);
  await put('a.csv', '1\n');
  await settled('done', 'a.csv');
  expect(published).toEqual(['1\n']);
});

test('while the portal cannot go on, a manifest stays', async () => {
  await put('a.csv');
  const { published, said } = watch({
    onPublish: async (_, times) => {
      if (times === 1) throw new RefusedError('the portal is closed');
      return false;
    },
  });
  await settled('failed', 'a.csv');
  expect(published).toHaveLength(2);
  expect(said).toContain('a.csv: the portal is closed');
});

test('a folder that is gone for a while, as on a drive of the network, does not end it', async () => {
  const { said } = watch({ folder: join(folder, 'inbox') });
  await expect.poll(() => said).toContainEqual(expect.stringContaining('ENOENT'));
  await mkdir(join(folder, 'inbox'));
  await put('inbox/a.csv');
  await settled('inbox/done', 'a.csv');
});

test('a manifest that cannot be moved stays, is told, and is moved later', async () => {
  await put('a.csv');
  await put('done', 'a file in the place of the folder');
  const { said } = watch();
  await expect.poll(() => said).toContainEqual(expect.stringMatching(/^a\.csv: EEXIST/));
  await rm(join(folder, 'done'));
  await settled('done', 'a.csv');
});
