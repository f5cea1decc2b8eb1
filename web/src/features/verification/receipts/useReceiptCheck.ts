import { useEffect, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { createStore } from '#platform/store.ts';
import type { HashFile } from '#features/verification/hash-file.ts';
import type { CheckedReceipt } from './check-receipt.ts';

export type GivenKind = 'file' | 'receipt' | 'keys';

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

export type ReceiptCheck = ReturnType<typeof createReceiptCheck>;

interface Parts {
  readonly hash: HashFile;
  /** The portal's own keys, as a tlog-policy; undefined where there are none. Never throws. */
  readonly loadKeys: () => Promise<string | undefined>;
}

/** Verification by receipt for one screen, forgotten with it. `parts` are those of its first render. */
export function useReceiptCheck(parts: Parts): ReceiptCheck {
  const [check] = useState(() => createReceiptCheck(parts));
  useEffect(() => check.stop, [check]);
  return check;
}

const tellChecked = async ({ checked, file }: ReceiptState): Promise<void> => {
  if (checked === undefined || file === undefined) return;
  const { receiptVerdictOf } = await import('./receipt-answers.ts');
  const { title, ticks } = receiptVerdictOf(checked);
  const answers = ticks.map((tick) => `${t(`verify.tone.${tick.tone}`)}: ${tick.title}`);
  announce([`${file.name}: ${title}`, ...answers].join('. '), checked.outcome === 'proved' ? 'polite' : 'assertive');
};

const nothing: ReceiptState = { file: undefined, receipt: undefined, keys: undefined, checked: undefined };

/** One file, its receipt and the keys, in whatever order they come; answered when file and receipt are there. */
const createReceiptCheck = ({ hash, loadKeys }: Parts) => {
  const { getState, setState, subscribe } = createStore(nothing);
  const change = (part: Partial<ReceiptState>): void => setState({ ...getState(), checked: undefined, ...part });
  let reading = new AbortController();

  const read = async (file: File): Promise<void> => {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    const { name, size } = file;
    const tell = (part: Partial<GivenFile>): void => {
      if (!signal.aborted) change({ file: { name, size, sha256: undefined, percent: 0, isUnreadable: false, ...part } });
    };
    tell({});
    await hash(file, { signal, onProgress: (bytesDone) => tell({ percent: Math.floor((100 * bytesDone) / size) }) }).then(
      (sha256) => tell({ sha256 }),
      () => tell({ isUnreadable: true }),
    );
  };
  const check = async (): Promise<void> => {
    const before = getState();
    const { file, receipt } = before;
    if (receipt === undefined || file?.sha256 === undefined || before.checked !== undefined) return;
    const own = before.keys === undefined ? await loadKeys() : undefined;
    const keys = before.keys ?? (own === undefined ? undefined : ({ from: 'portal', name: '', text: own } as const));
    const code = await import('./check-receipt.ts').catch(() => undefined);
    if (code === undefined) return emit('alert', { tone: 'error', title: t('error.partFailed') });
    // Another file or receipt may have come meanwhile: its own check answers.
    if (getState() !== before) return;
    change({ keys, checked: code.checkReceipt({ sha256: file.sha256, receipt: receipt.bytes, policy: keys?.text }) });
    void tellChecked(getState());
  };
  const take = async (file: File): Promise<void> => {
    const kind = await kindOf(file);
    if (kind === 'file') await read(file);
    else if (kind === 'receipt')
      change({ receipt: { name: file.name, bytes: new Uint8Array(await file.slice(0, maxTextBytes + 1).arrayBuffer()) } });
    else change({ keys: { from: 'file', name: file.name, text: await file.text() } });
  };
  return {
    subscribe,
    getState,
    async addFiles(files: readonly File[]): Promise<void> {
      await Promise.all(files.map(take));
      await check();
    },
    remove(part: GivenKind): void {
      if (part === 'file') reading.abort();
      change({ [part]: undefined });
      void check();
    },
    stop: (): void => {
      reading.abort();
      setState(nothing);
    },
  };
};

/** More than a receipt or a policy may have. */
const maxTextBytes = 512 * 1024;
const headBytes = 4 * 1024;

/** By its first characters: browsers and mail programs change the names of files. */
const kindOf = async (file: File): Promise<GivenKind> => {
  if (isReceiptName(file.name)) return 'receipt';
  if (file.size > maxTextBytes) return 'file';
  const head = await file.slice(0, headBytes).text();
  if (head.startsWith('c2sp.org/tlog-proof@')) return 'receipt';
  return /^(?:[ \t]*(?:#.*)?\r?\n)*(?:log|witness|group|quorum)[ \t]/.test(head) ? 'keys' : 'file';
};

export const isReceiptName = (name: string): boolean => /\.tlog-proof$/i.test(name);
