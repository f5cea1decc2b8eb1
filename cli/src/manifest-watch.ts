import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isOfSystem, RefusedError, UsageError } from './errors.ts';
import { tableEndings } from './record-lines.ts';
import { stateOfFile } from '#tables/table-rows.ts';

interface Watch {
  readonly folder: string;
  /** The state of the files that the manifest names: another text when one of them changes, comes or goes. */
  readonly stateOfFiles: (manifest: string) => Promise<string>;
  /** Publishes one manifest and writes its report. Answers whether no line was refused; throws RefusedError when the portal cannot go on. */
  readonly publish: (manifest: string, reportPath: string) => Promise<boolean>;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
  /** For so long a manifest and its files stay the same before it is begun. */
  readonly quietMs: number;
  /** Nothing is begun without its NAME.ready. */
  readonly onlyReady: boolean;
  /** After the portal could not go on. */
  readonly retryMs?: number;
}

/** The names that spreadsheets give their locks begin so, too. */
const isManifest = (name: string): boolean => !/^(?:\.|~\$)/.test(name) && tableEndings.includes(extname(name).toLowerCase());

const isEmpty = (state: string): boolean => state.startsWith('0 ');

/** What was moved there before stays. */
const freeName = async (folder: string, name: string): Promise<string> =>
  (await readdir(folder)).includes(name) ? `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${name}` : name;

/** By which the writer says that the manifest and its files are whole: `november.csv.ready` or `november.ready`. */
const readyNames = (name: string): readonly string[] => [`${name}.ready`, `${basename(name, extname(name))}.ready`];

/** Left by a process that was killed after it had moved the manifest; the next one of this name must not be begun by it. */
const removeOrphans = async (folder: string, names: readonly string[]): Promise<void> => {
  const awaited = new Set(names.filter(isManifest).flatMap(readyNames));
  for (const name of names) if (name.endsWith('.ready') && !awaited.has(name)) await rm(join(folder, name), { force: true });
};

/** A manifest that is seen, and how long it and its files have been as they are. */
interface Seen {
  readonly state: string;
  readonly sinceMs: number;
  files?: { readonly state: string; readonly sinceMs: number };
  isTold?: boolean;
}

/** Answers when the files of a manifest are whole, as far as a reader can know. */
const createQuietTime = ({ folder, stateOfFiles, say, quietMs, onlyReady }: Watch) => {
  const seen = new Map<string, Seen>();
  return {
    forget: (name: string): void => void seen.delete(name),
    /** The state of the files with which the manifest is to be begun; undefined when it has to wait. */
    async begin(name: string, names: ReadonlySet<string>): Promise<{ files: string | undefined } | undefined> {
      const path = join(folder, name);
      const state = await stateOfFile(path);
      if (state === undefined) return undefined;
      if (readyNames(name).some((ready) => names.has(ready))) return { files: undefined };
      if (onlyReady) return undefined;
      const nowMs = performance.now();
      const before = seen.get(name);
      if (before?.state !== state) {
        seen.set(name, { state, sinceMs: nowMs });
        return undefined;
      }
      if (isEmpty(state)) {
        if (before.isTold !== true && nowMs - before.sinceMs >= quietMs) {
          before.isTold = true;
          say(`${name}: is empty, and waits for its lines`);
        }
        return undefined;
      }
      // Looked at when the manifest has stayed the same, and again when the time is over: a large one names many files.
      if (before.files !== undefined && nowMs - before.files.sinceMs < quietMs) return undefined;
      const files = await stateOfFiles(path);
      if (before.files?.state === files) return { files };
      before.files = { state: files, sinceMs: nowMs };
      return undefined;
    },
  };
};

const keptMoves = 1_000;

/** Tells of manifests that a program went on writing after they were moved. */
const createMoves = ({ folder, say }: Watch) => {
  const moved = new Map<string, { readonly name: string; readonly place: string; readonly state: string }>();
  return {
    add(path: string, move: { name: string; place: string; state: string }): void {
      moved.set(path, move);
      const [oldest] = moved.keys();
      if (moved.size > keptMoves && oldest !== undefined) moved.delete(oldest);
    },
    async check(): Promise<void> {
      for (const [path, move] of moved) {
        const state = await stateOfFile(path);
        if (state === move.state) continue;
        moved.delete(path);
        if (state === undefined) continue;
        say(
          `${move.name}: was changed after it had been moved to ${move.place}: what was written then is not published; put the whole manifest into ${folder} again`,
        );
        moved.set(path, { ...move, state });
      }
    },
  };
};

interface Settled {
  /** Undefined: it was changed meanwhile and is to be taken again. */
  readonly moved: { readonly path: string; readonly place: string; readonly state: string } | undefined;
}

const settle = async (
  name: string,
  { folder, publish, stateOfFiles, say, files }: Watch & { files: string | undefined },
): Promise<Settled> => {
  const manifest = join(folder, name);
  const report = join(folder, `.${name}.report`);
  const begun = (await stateOfFile(manifest)) ?? '';
  const isChanged = async (): Promise<boolean> => (await stateOfFile(manifest)) !== begun;
  let isDone = false;
  try {
    isDone = await publish(manifest, report);
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof RefusedError && (await isChanged()))) throw error;
    say(`${name}: ${error.message}`);
    await writeFile(report, `${error.message}\n`, { mode: 0o600 });
  }
  // A file that was still being copied may be whole now.
  if ((await isChanged()) || (!isDone && files !== undefined && (await stateOfFiles(manifest)) !== files)) {
    say(`${name}: was changed while it was published, and is taken again`);
    await rm(report, { force: true });
    return { moved: undefined };
  }
  const place = isDone ? 'done' : 'failed';
  const target = join(folder, place);
  await mkdir(target, { recursive: true });
  const kept = await freeName(target, name);
  // The manifest last: a process that is killed in between begins it again, which publishes nothing twice.
  await rename(report, join(target, `${kept}.report.csv`));
  await rename(manifest, join(target, kept));
  for (const ready of readyNames(name)) await rm(join(folder, ready), { force: true });
  say(`${name}: moved to ${place}`);
  return { moved: { path: join(target, kept), place, state: begun } };
};

const longestLookMs = 2_000;
const shortestLookMs = 100;

/**
 * Publishes each manifest that is put into a folder, one after the other, until the signal. A manifest is begun when NAME.ready is beside it, or when it
 * and the files that it names have not changed for the quiet time; then it is moved with its report to `done`, or to `failed` when a line was refused or it
 * could not be read. One that was changed meanwhile is taken again. While the portal cannot go on, the manifest stays, and is begun again.
 */
export const watchManifests = async (watch: Watch): Promise<void> => {
  const { folder, say, signal, quietMs, retryMs = 30_000 } = watch;
  const everyMs = Math.min(longestLookMs, Math.max(shortestLookMs, quietMs / 4));
  const quietTime = createQuietTime(watch);
  const moves = createMoves(watch);
  let isFirst = true;
  const takeOne = async (name: string, names: ReadonlySet<string>): Promise<void> => {
    const begin = await quietTime.begin(name, names);
    if (begin === undefined) return;
    const { moved } = await settle(name, { ...watch, ...begin }).catch((error: unknown) => {
      throw error instanceof RefusedError ? new RefusedError(`${name}: ${error.message}`, { cause: error }) : error;
    });
    quietTime.forget(name);
    if (moved !== undefined) moves.add(moved.path, { ...moved, name });
  };
  /** Throws what keeps all manifests from being published; what is wrong with the file of one, others need not wait for. */
  const look = async (): Promise<number> => {
    let waitMs = everyMs;
    const names = await readdir(folder);
    if (isFirst) await removeOrphans(folder, names);
    isFirst = false;
    for (const name of names.filter(isManifest).toSorted()) {
      if (signal.aborted) break;
      await takeOne(name, new Set(names)).catch((error: unknown) => {
        if (!isOfSystem(error)) throw error;
        say(`${name}: ${error.message}`);
        waitMs = retryMs;
      });
    }
    return waitMs;
  };
  while (!signal.aborted) {
    const waitMs = await look().catch((error: unknown) => {
      // A drive that is gone comes back, and so does the portal.
      if (!(error instanceof RefusedError) && !isOfSystem(error)) throw error;
      if (!signal.aborted) say(error.message);
      return retryMs;
    });
    await moves.check();
    await pause(waitMs, undefined, { signal }).catch(() => undefined);
  }
  await moves.check();
};
