import type { AnswerOf, checkChecksum, DocumentRow } from '@pergamin/contract';
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
  /** Whose verdict is looked at. */
  readonly chosenKey: string | undefined;
}

/** Everything that is verified on one screen: one after another, in the order in which it came. Forgotten with the screen. */
export interface Verifications {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => VerificationsState;
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
  /** A document that is called as a file is which nobody published. */
  readonly findNamesake: (fileName: string, signal: AbortSignal) => Promise<DocumentRow | undefined>;
  /** When an item has its verdict, or has failed. */
  readonly onSettled: (item: Verified) => void;
}

export const createVerifications = ({ hasher, ask, findNamesake, onSettled }: Parts): Verifications => {
  const listeners = new Set<() => void>();
  let state: VerificationsState = { items: [], chosenKey: undefined };
  let running: { readonly key: string; readonly control: AbortController } | undefined;
  let made = 0;

  const setState = (next: VerificationsState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  const find = (key: string): Verified | undefined => state.items.find((item) => item.key === key);
  const setProgress = (key: string, progress: Progress): void =>
    setState({ ...state, items: state.items.map((item) => (item.key === key ? { ...item, progress } : item)) });

  /** What was hashed once is not read again when it is tried again. */
  const known = new Map<string, string>();

  const verify = async ({ key, subject }: Verified, signal: AbortSignal): Promise<void> => {
    let sha256 = subject.kind === 'checksum' ? subject.name : known.get(key);
    try {
      if (subject.kind === 'file' && sha256 === undefined) {
        setProgress(key, { state: 'hashing', percent: 0 });
        let percent = 0;
        sha256 = await hasher.hash(subject.file, {
          signal,
          onProgress(bytesDone) {
            const now = Math.floor((100 * bytesDone) / Math.max(1, subject.size));
            if (now === percent || signal.aborted) return;
            percent = now;
            setProgress(key, { state: 'hashing', percent });
          },
        });
        known.set(key, sha256);
      }
      const asked = sha256 ?? '';
      setProgress(key, { state: 'comparing', sha256: asked });
      const finding = await ask(asked, signal);
      const seeks = subject.kind === 'file' && finding.status === 'DOCUMENT_NOT_EXIST';
      const namesake = seeks ? await findNamesake(subject.name, signal) : undefined;
      setProgress(key, { state: 'answered', sha256: asked, finding, namesake });
    } catch (error) {
      if (signal.aborted) return;
      setProgress(key, { state: 'failed', sha256, error });
    }
    const settled = find(key);
    if (settled !== undefined) onSettled(settled);
  };

  const goOn = async (): Promise<void> => {
    if (running !== undefined) return;
    // The newest stand first.
    const next = state.items.findLast(({ progress }) => progress.state === 'waiting');
    if (next === undefined) return;
    const control = new AbortController();
    running = { key: next.key, control };
    await verify(next, control.signal);
    running = undefined;
    void goOn();
  };
  const add = (subjects: readonly Subject[]): void => {
    const items = subjects.map((subject): Verified => ({ key: String((made += 1)), subject, progress: { state: 'waiting' } }));
    const [first] = items;
    if (first === undefined) return;
    setState({ items: [...items.toReversed(), ...state.items], chosenKey: first.key });
    void goOn();
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getState: () => state,
    addFiles: (files) => add(files.map((file) => ({ kind: 'file', name: file.name, size: file.size, file }))),
    addChecksum: (sha256) => add([{ kind: 'checksum', name: sha256 }]),
    choose: (key) => setState({ ...state, chosenKey: key }),
    remove(key) {
      const at = state.items.findIndex((item) => item.key === key);
      const items = state.items.filter((item) => item.key !== key);
      const chosenKey = state.chosenKey === key ? (items[at] ?? items.at(-1))?.key : state.chosenKey;
      known.delete(key);
      setState({ items, chosenKey });
      if (running?.key === key) running.control.abort();
    },
    retry(key) {
      setProgress(key, { state: 'waiting' });
      void goOn();
    },
    stop() {
      setState({ items: [], chosenKey: undefined });
      running?.control.abort();
    },
  };
};
