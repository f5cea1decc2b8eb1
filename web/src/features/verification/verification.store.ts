import type { AnswerOf, checkChecksum, DocumentRow } from '@pergamin/contract';
import { createStore, type Store } from '#platform/store.ts';
import type { Hasher } from './hasher.ts';

export type Finding = AnswerOf<typeof checkChecksum>;

/** A file or a checksum that was handed in. */
export type Subject =
  | { readonly kind: 'file'; readonly name: string; readonly size: number; readonly file: File }
  | { readonly kind: 'checksum'; readonly name: string };

export type Progress =
  | { readonly state: 'waiting' }
  | { readonly state: 'hashing'; readonly percent: number }
  | { readonly state: 'comparing'; readonly sha256: string }
  | { readonly state: 'answered'; readonly sha256: string; readonly finding: Finding; readonly namesake: DocumentRow | undefined }
  | { readonly state: 'failed'; readonly sha256: string | undefined; readonly error: unknown };

export interface Verified {
  readonly key: string;
  readonly subject: Subject;
  readonly progress: Progress;
}

interface VerificationsState {
  /** The newest first. */
  readonly items: readonly Verified[];
  /** The one whose verdict is shown. */
  readonly chosenKey: string | undefined;
}

/** Everything that is verified on one screen: one after another, in the order in which it came. Forgotten with the screen. */
export interface Verifications extends Pick<Store<VerificationsState>, 'getState' | 'subscribe'> {
  readonly addFiles: (files: readonly File[]) => void;
  /** 64 hex digits. */
  readonly addChecksum: (sha256: string) => void;
  readonly choose: (key: string) => void;
  /** Breaks off what is under way. */
  readonly remove: (key: string) => void;
  readonly retry: (key: string) => void;
  /** Breaks everything off. */
  readonly stop: () => void;
}

interface Parts {
  readonly hasher: Pick<Hasher, 'hash'>;
  readonly ask: (sha256: string, signal: AbortSignal) => Promise<Finding>;
  /** A document of the same name as a file that was not published. */
  readonly findNamesake: (fileName: string, signal: AbortSignal) => Promise<DocumentRow | undefined>;
  /** When an item has its verdict, or has failed. */
  readonly onSettled: (item: Verified) => void;
}

export const createVerifications = (parts: Parts): Verifications => {
  const { getState, setState, subscribe } = createStore<VerificationsState>({ items: [], chosenKey: undefined });
  let running: { readonly key: string; readonly control: AbortController } | undefined;
  let made = 0;
  const setProgress = (key: string, progress: Progress): void =>
    setState({ ...getState(), items: getState().items.map((item) => (item.key === key ? { ...item, progress } : item)) });
  const { verify, forget } = createVerifier(parts, setProgress);

  const runNext = async (): Promise<void> => {
    if (running !== undefined) return;
    // The newest stand first.
    const next = getState().items.findLast(({ progress }) => progress.state === 'waiting');
    if (next === undefined) return;
    const control = new AbortController();
    running = { key: next.key, control };
    await verify(next, control.signal);
    const settled = getState().items.find(({ key }) => key === next.key);
    if (!control.signal.aborted && settled !== undefined) parts.onSettled(settled);
    running = undefined;
    void runNext();
  };
  const add = (subjects: readonly Subject[]): void => {
    const items = subjects.map((subject): Verified => ({ key: String((made += 1)), subject, progress: { state: 'waiting' } }));
    const [first] = items;
    if (first === undefined) return;
    setState({ items: [...items.toReversed(), ...getState().items], chosenKey: first.key });
    void runNext();
  };
  return {
    subscribe,
    getState,
    addFiles: (files) => add(files.map((file) => ({ kind: 'file', name: file.name, size: file.size, file }))),
    addChecksum: (sha256) => add([{ kind: 'checksum', name: sha256 }]),
    choose: (key) => setState({ ...getState(), chosenKey: key }),
    remove(key) {
      const before = getState();
      const at = before.items.findIndex((item) => item.key === key);
      const items = before.items.filter((item) => item.key !== key);
      const chosenKey = before.chosenKey === key ? (items[at] ?? items.at(-1))?.key : before.chosenKey;
      forget(key);
      setState({ items, chosenKey });
      if (running?.key === key) running.control.abort();
    },
    retry(key) {
      setProgress(key, { state: 'waiting' });
      void runNext();
    },
    stop() {
      setState({ items: [], chosenKey: undefined });
      running?.control.abort();
    },
  };
};

/** Hashes a file, asks for its verdict and looks for a document of its name. */
const createVerifier = ({ hasher, ask, findNamesake }: Parts, setProgress: (key: string, progress: Progress) => void) => {
  /** What was hashed once is not read again when it is tried again. */
  const known = new Map<string, string>();
  const hash = async (key: string, file: File, signal: AbortSignal): Promise<string> => {
    let percent = 0;
    setProgress(key, { state: 'hashing', percent });
    const sha256 = await hasher.hash(file, {
      signal,
      onProgress(bytesDone) {
        const now = Math.floor((100 * bytesDone) / Math.max(1, file.size));
        if (now === percent || signal.aborted) return;
        percent = now;
        setProgress(key, { state: 'hashing', percent });
      },
    });
    known.set(key, sha256);
    return sha256;
  };
  const verify = async ({ key, subject }: Verified, signal: AbortSignal): Promise<void> => {
    let sha256 = subject.kind === 'checksum' ? subject.name : known.get(key);
    try {
      sha256 ??= subject.kind === 'file' ? await hash(key, subject.file, signal) : '';
      setProgress(key, { state: 'comparing', sha256 });
      const finding = await ask(sha256, signal);
      const isUnknownFile = subject.kind === 'file' && finding.status === 'DOCUMENT_NOT_EXIST';
      const namesake = isUnknownFile ? await findNamesake(subject.name, signal) : undefined;
      setProgress(key, { state: 'answered', sha256, finding, namesake });
    } catch (error) {
      if (!signal.aborted) setProgress(key, { state: 'failed', sha256, error });
    }
  };
  return { verify, forget: (key: string) => known.delete(key) };
};
