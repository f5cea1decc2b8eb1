import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RefusedError, UsageError } from './errors.ts';

interface Watch {
  readonly folder: string;
  /** Publishes one manifest and writes its report. Answers whether no line was refused; throws RefusedError when the portal cannot go on. */
  readonly publish: (manifest: string, reportPath: string) => Promise<boolean>;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
  readonly everyMs?: number;
  /** After the portal could not go on. */
  readonly retryMs?: number;
}

const isManifest = (name: string): boolean => !name.startsWith('.') && ['.csv', '.jsonl'].includes(extname(name).toLowerCase());

/** Its size and the moment of its last change: while these change, it is still being written. Undefined when there is nothing in it. */
const stateOf = async (path: string): Promise<string | undefined> =>
  stat(path).then(
    (found) => (found.isFile() && found.size > 0 ? `${found.size} ${found.mtimeMs}` : undefined),
    () => undefined,
  );

/** What was moved there before stays. */
const freeName = async (folder: string, name: string): Promise<string> =>
  (await readdir(folder)).includes(name) ? `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${name}` : name;

const settle = async (name: string, { folder, publish, say }: Watch): Promise<void> => {
  const manifest = join(folder, name);
  const report = join(folder, `.${name}.report`);
  let isDone = false;
  try {
    isDone = await publish(manifest, report);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    say(`${name}: ${error.message}`);
    await writeFile(report, `${error.message}\n`, { mode: 0o600 });
  }
  const target = join(folder, isDone ? 'done' : 'failed');
  await mkdir(target, { recursive: true });
  const kept = await freeName(target, name);
  // The manifest last: a process that is killed in between begins it again, which publishes nothing twice.
  await rename(report, join(target, `${kept}.report.csv`));
  await rename(manifest, join(target, kept));
  say(`${name}: moved to ${isDone ? 'done' : 'failed'}`);
};

/**
 * Publishes each manifest that is put into a folder, one after the other, until the signal. A manifest is begun when it is the same in two looks; then
 * it is moved with its report to `done`, or to `failed` when a line was refused or it could not be read. While the portal cannot go on, the manifest
 * stays, and is begun again.
 */
export const watchManifests = async (watch: Watch): Promise<void> => {
  const { folder, say, signal, everyMs = 2_000, retryMs = 30_000 } = watch;
  let before = new Map<string, string>();
  while (!signal.aborted) {
    const now = new Map<string, string>();
    let waitMs = everyMs;
    for (const name of (await readdir(folder)).filter(isManifest).toSorted()) {
      const state = await stateOf(join(folder, name));
      if (signal.aborted || state === undefined) continue;
      now.set(name, state);
      if (before.get(name) !== state) continue;
      try {
        await settle(name, watch);
      } catch (error) {
        if (!(error instanceof RefusedError)) throw error;
        if (!signal.aborted) say(`${name}: ${error.message}`);
        waitMs = retryMs;
        break;
      }
    }
    before = now;
    await pause(waitMs, undefined, { signal }).catch(() => undefined);
  }
};
