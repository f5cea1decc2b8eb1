import type { AnswerOf, checkChecksum, DocumentRow } from '@pergamin/contract';
import { createStore } from '#platform/store.ts';
import type { HashFile } from './hash-file.ts';

export type Finding = AnswerOf<typeof checkChecksum>;

export interface Answer {
  readonly sha256: string;
  readonly finding: Finding;
  readonly namesake: DocumentRow | undefined;
}

export type Progress =
  /** `sha256`: of a file that is tried again. */
  | { readonly state: 'waiting'; readonly sha256?: string | undefined }
  | { readonly state: 'hashing'; readonly percent: number }
  | { readonly state: 'comparing'; readonly sha256: string }
  | ({ readonly state: 'answered' } & Answer)
  | { readonly state: 'failed'; readonly sha256: string | undefined; readonly error: unknown };

/** A file that was handed in, or a checksum, which is its own name. */
export interface Verified {
  readonly key: string;
  readonly name: string;
  readonly file?: File | undefined;
  readonly progress: Progress;
}

interface VerificationsState {
  /** The newest first. */
  readonly items: readonly Verified[];
  readonly chosenKey: string | undefined;
}

export type Verifications = ReturnType<typeof createVerifications>;

interface Parts {
  readonly hash: HashFile;
  readonly ask: (sha256: string, signal: AbortSignal) => Promise<Finding>;
  /** A document of the same name as a file that was not published. */
  readonly findNamesake: (fileName: string, signal: AbortSignal) => Promise<DocumentRow | undefined>;
  readonly onSettled: (item: Verified) => void;
}

/** Everything that is verified on one screen: one after another, in the order in which it came. Forgotten with the screen. */
export const createVerifications = ({ onSettled, ...parts }: Parts) => {
  const { getState, setState, subscribe } = createStore<VerificationsState>({ items: [], chosenKey: undefined });
  let running: { readonly key: string; readonly control: AbortController } | undefined;
  let made = 0;
  const find = (key: string): Verified | undefined => getState().items.find((item) => item.key === key);
  const setProgress = (key: string, progress: Progress): void =>
    setState({ ...getState(), items: getState().items.map((item) => (item.key === key ? { ...item, progress } : item)) });

  const runNext = async (): Promise<void> => {
    if (running !== undefined) return;
    // The newest stand first.
    const next = getState().items.findLast(({ progress }) => progress.state === 'waiting');
    if (next === undefined) return;
    const { key } = next;
    const control = new AbortController();
    running = { key, control };
    await verify(next, { ...parts, signal: control.signal, onProgress: (progress) => setProgress(key, progress) });
    const settled = find(key);
    if (settled !== undefined) onSettled(settled);
    running = undefined;
    void runNext();
  };
  const add = (given: readonly Pick<Verified, 'name' | 'file'>[]): void => {
    const items = given.map((item): Verified => ({ ...item, key: String((made += 1)), progress: { state: 'waiting' } }));
    const [first] = items;
    if (first === undefined) return;
    setState({ items: [...items.toReversed(), ...getState().items], chosenKey: first.key });
    void runNext();
  };
  return {
    subscribe,
    getState,
    addFiles: (files: readonly File[]): void => add(files.map((file) => ({ name: file.name, file }))),
    /** 64 hex digits. */
    addChecksum: (sha256: string): void => add([{ name: sha256 }]),
    choose: (key: string): void => setState({ ...getState(), chosenKey: key }),
    /** Breaks off what is under way. */
    remove(key: string): void {
      const before = getState();
      const at = before.items.findIndex((item) => item.key === key);
      const items = before.items.filter((item) => item.key !== key);
      setState({ items, chosenKey: before.chosenKey === key ? (items[at] ?? items.at(-1))?.key : before.chosenKey });
      if (running?.key === key) running.control.abort();
    },
    retry(key: string): void {
      const before = find(key)?.progress;
      setProgress(key, { state: 'waiting', sha256: before?.state === 'failed' ? before.sha256 : undefined });
      void runNext();
    },
    stop: (): void => {
      setState({ items: [], chosenKey: undefined });
      running?.control.abort();
    },
  };
};

interface Run extends Pick<Parts, 'hash' | 'ask' | 'findNamesake'> {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Hashes a file, asks for its verdict and looks for a document of its name. What becomes of an item that was removed reaches nothing. */
const verify = async ({ name, file, progress }: Verified, run: Run): Promise<void> => {
  const { ask, findNamesake, signal, onProgress } = run;
  // What was hashed once is not read again when it is tried again.
  let sha256 = progress.state === 'waiting' ? progress.sha256 : undefined;
  try {
    sha256 ??= file === undefined ? name : await hashOf(file, run);
    onProgress({ state: 'comparing', sha256 });
    const finding = await ask(sha256, signal);
    const isUnknownFile = file !== undefined && finding.status === 'DOCUMENT_NOT_EXIST';
    const namesake = isUnknownFile ? await findNamesake(name, signal) : undefined;
    onProgress({ state: 'answered', sha256, finding, namesake });
  } catch (error) {
    onProgress({ state: 'failed', sha256, error });
  }
};

const hashOf = (file: File, { hash, signal, onProgress }: Run): Promise<string> => {
  onProgress({ state: 'hashing', percent: 0 });
  return hash(file, {
    signal,
    onProgress: (bytesDone) => onProgress({ state: 'hashing', percent: Math.floor((100 * bytesDone) / file.size) }),
  });
};
