import { createStore, type Store } from '#platform/store.ts';
import type { Hasher } from '#features/verification/hasher.ts';
import type { CheckedReceipt } from './check-receipt.ts';
import { kindOf, maxTextBytes } from './given-file.ts';

export interface GivenFile {
  readonly name: string;
  readonly size: number;
  /** Not yet while it is read. */
  readonly sha256: string | undefined;
  readonly percent: number;
  readonly isUnreadable: boolean;
}

export interface ReceiptState {
  readonly file: GivenFile | undefined;
  readonly receipt: { readonly name: string; readonly bytes: Uint8Array } | undefined;
  /** Of whom the keys come: from a file that was handed in, or from the portal itself. */
  readonly keys: { readonly from: 'file' | 'portal'; readonly name: string; readonly text: string } | undefined;
  readonly checked: CheckedReceipt | undefined;
}

export type GivenPart = 'file' | 'receipt' | 'keys';

/** One file, its receipt and the keys, in whatever order they come; answered when file and receipt are there. */
export interface ReceiptCheck extends Pick<Store<ReceiptState>, 'getState' | 'subscribe'> {
  readonly addFiles: (files: readonly File[]) => Promise<void>;
  readonly remove: (part: GivenPart) => void;
  readonly stop: () => void;
}

interface Parts {
  readonly hasher: Pick<Hasher, 'hash'>;
  /** The portal's own keys, as a tlog-policy; undefined where there are none. Never throws. */
  readonly loadKeys: () => Promise<string | undefined>;
  readonly onChecked: (state: ReceiptState) => void;
}

const nothing: ReceiptState = { file: undefined, receipt: undefined, keys: undefined, checked: undefined };

type Change = (part: Partial<ReceiptState>) => void;

export const createReceiptCheck = (parts: Parts): ReceiptCheck => {
  const { getState, setState, subscribe } = createStore(nothing);
  const change: Change = (part) => setState({ ...getState(), checked: undefined, ...part });
  const check = createChecker(parts, getState, change);
  const reader = createReader(parts, change);
  const add = async (file: File): Promise<void> => {
    const kind = await kindOf(file);
    if (kind === 'file') await reader.read(file);
    else if (kind === 'receipt')
      change({ receipt: { name: file.name, bytes: new Uint8Array(await file.slice(0, maxTextBytes + 1).arrayBuffer()) } });
    else change({ keys: { from: 'file', name: file.name, text: await file.text() } });
    await check();
  };
  return {
    subscribe,
    getState,
    async addFiles(files) {
      await Promise.all(files.map(add));
    },
    remove(part) {
      if (part === 'file') reader.stop();
      change({ [part]: undefined });
      void check();
    },
    stop() {
      reader.stop();
      setState(nothing);
    },
  };
};

const createChecker =
  ({ loadKeys, onChecked }: Parts, getState: () => ReceiptState, change: Change) =>
  async (): Promise<void> => {
    const before = getState();
    const { file, receipt } = before;
    if (receipt === undefined || file?.sha256 === undefined || before.checked !== undefined) return;
    const own = before.keys === undefined ? await loadKeys() : undefined;
    const keys = before.keys ?? (own === undefined ? undefined : ({ from: 'portal', name: '', text: own } as const));
    const { checkReceipt } = await import('./check-receipt.ts');
    // Another file or receipt may have come meanwhile: its own check answers.
    if (getState() !== before) return;
    change({ keys, checked: checkReceipt({ sha256: file.sha256, receipt: receipt.bytes, policy: keys?.text }) });
    onChecked(getState());
  };

const createReader = ({ hasher }: Parts, change: Change) => {
  let hashing: AbortController | undefined;
  const read = async (file: File): Promise<void> => {
    hashing?.abort();
    const control = new AbortController();
    hashing = control;
    let given: GivenFile = { name: file.name, size: file.size, sha256: undefined, percent: 0, isUnreadable: false };
    const tell = (part: Partial<GivenFile>): void => {
      given = { ...given, ...part };
      if (!control.signal.aborted) change({ file: given });
    };
    tell({});
    const onProgress = (done: number): void => {
      const percent = Math.floor((100 * done) / Math.max(1, file.size));
      if (percent !== given.percent) tell({ percent });
    };
    await hasher.hash(file, { signal: control.signal, onProgress }).then(
      (sha256) => tell({ sha256, percent: 100 }),
      () => tell({ isUnreadable: true }),
    );
  };
  return { read, stop: () => hashing?.abort() };
};
