import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import { CallError } from '#platform/api.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { createStore, type Store } from '#platform/store.ts';
import { mayRetry } from './refusals.ts';

export interface Attachment {
  /** Random, and kept over retries: the server takes the same one for the same sending made again (H4). */
  readonly key: string;
  readonly file: File;
  readonly categoryId: string | undefined;
  readonly typeId: string | undefined;
  readonly state: 'PENDING' | 'IN_PROGRESS' | 'SENT' | 'ERROR';
  /** How much of it is on its way, from 0 to 1. */
  readonly part: number;
  /** Why it was not sent, while its state is ERROR. */
  readonly error?: unknown;
}

/** An attachment that can be sent. */
type CompleteAttachment = Attachment & Record<'categoryId' | 'typeId', string>;

export const isComplete = (attachment: Attachment): attachment is CompleteAttachment =>
  attachment.categoryId !== undefined && attachment.typeId !== undefined;

export interface SendingState {
  readonly attachments: readonly Attachment[];
  readonly step: 'files' | 'summary';
  /** From then on there is no way back (H2). */
  readonly isStarted: boolean;
  readonly isRunning: boolean;
}

export interface SendingParts {
  /** Sends one file; rejects with what the caller is told. */
  readonly send: (attachment: CompleteAttachment, options: SendOptions) => Promise<unknown>;
  readonly onSettled: (attachment: Attachment) => void;
  /** Told when nothing more is to be sent for now. */
  readonly onRest: (attachments: readonly Attachment[]) => void;
}

interface SendOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (part: number) => void;
}

export type Sending = ReturnType<typeof createSending>;

const nothing: SendingState = { attachments: [], step: 'files', isStarted: false, isRunning: false };

/** A sending of several files. It lives apart from what shows it: it goes on while its window is covered (H8). */
export const createSending = (parts: SendingParts) => {
  const { getState, setState, subscribe } = createStore(nothing);
  let control = new AbortController();
  const set = (part: Partial<SendingState>): void => setState({ ...getState(), ...part });
  const change = (changed: Changed): void =>
    set({ attachments: getState().attachments.map((attachment) => ({ ...attachment, ...changed(attachment) })) });
  const run = (changed: Changed): void => {
    change(changed);
    if (!getState().isRunning) void sendAll({ ...parts, signal: control.signal, getState, set, change });
  };
  return {
    getState,
    subscribe,
    add: (file: File): void => {
      const { step, attachments } = getState();
      // The file may have been looked into until the summary came.
      if (step !== 'files') return;
      set({ attachments: [...attachments, { ...unsent, key: newKey(), file, categoryId: undefined, typeId: undefined }] });
    },
    /** Tells of it with a way to bring the file back to its place. What is sent, or being sent, stays. */
    remove: (key: string): void => {
      const { attachments } = getState();
      const at = attachments.findIndex((attachment) => attachment.key === key);
      const removed = attachments[at];
      if (removed === undefined || removed.state === 'IN_PROGRESS' || removed.state === 'SENT') return;
      set({ attachments: attachments.toSpliced(at, 1) });
      const restore = (): void => set({ attachments: getState().attachments.toSpliced(at, 0, removed) });
      const title = t('sending.removed', { name: removed.file.name });
      emit('alert', { tone: 'info', title, action: { label: t('alert.undo'), run: restore } });
    },
    // A type belongs to its category: another category has none chosen (H1).
    chooseCategory: (key: string, categoryId: string): void =>
      change(only(key, (before) => ({ categoryId, typeId: before.categoryId === categoryId ? before.typeId : undefined }))),
    chooseType: (key: string, typeId: string): void => change(only(key, () => ({ typeId }))),
    applyToAll: ({ categoryId, typeId }: Attachment): void => change(() => ({ categoryId, typeId })),
    /** Puts another file in the place of one that was refused: another sending, since the server takes one key for one file. */
    replace: (key: string, file: File): void => change(only(key, () => ({ ...unsent, key: newKey(), file }))),
    next: (): void => {
      if (getState().attachments.every(isComplete)) set({ step: 'summary' });
    },
    back: (): void => {
      if (!getState().isStarted) set({ step: 'files' });
    },
    /** Sends what is not sent, one after another; what failed before is tried again where that may help. */
    start: (): void => run(again),
    retry: (key: string): void => run(only(key, again)),
    stop: (): void => {
      control.abort();
      control = new AbortController();
      change(({ state }) => (state === 'IN_PROGRESS' ? unsent : {}));
      set({ isRunning: false });
    },
  };
};

type Changed = (attachment: Attachment) => Partial<Attachment>;

const only =
  (key: string, changed: Changed): Changed =>
  (attachment) =>
    attachment.key === key ? changed(attachment) : {};

const unsent = { state: 'PENDING', part: 0, error: undefined } as const;
const again: Changed = ({ state, error }) => (state === 'ERROR' && mayRetry(error) ? unsent : {});

const keyBytes = 16;
/** 32 hexadecimal digits. Not `randomUUID`, which browsers keep to safe connections. */
const newKey = (): string => bytesToHex(randomBytes(keyBytes));

interface Run extends SendingParts, Pick<Store<SendingState>, 'getState'> {
  readonly signal: AbortSignal;
  readonly set: (part: Partial<SendingState>) => void;
  readonly change: (changed: Changed) => void;
}

/** One after another, until nothing waits or one was refused for a reason that holds for all. */
const sendAll = async ({ send, onSettled, onRest, signal, getState, set, change }: Run): Promise<void> => {
  set({ isStarted: true, isRunning: true });
  for (;;) {
    const waiting = getState().attachments.find(({ state }) => state === 'PENDING');
    if (waiting === undefined || !isComplete(waiting)) break;
    const tell = (part: Partial<Attachment>): void => {
      if (!signal.aborted) change(only(waiting.key, () => part));
    };
    tell({ state: 'IN_PROGRESS' });
    const result = await send(waiting, { signal, onProgress: (part) => tell({ part }) }).then(
      () => ({ state: 'SENT', part: 1 }) as const,
      (error: unknown) => ({ state: 'ERROR', part: 0, error }) as const,
    );
    if (signal.aborted) return;
    tell(result);
    onSettled({ ...waiting, ...result });
    if ('error' in result && endsAll(result.error)) break;
  }
  set({ isRunning: false });
  onRest(getState().attachments);
};

/** The session is over, or the portal takes nothing more for now: the others would only be refused, too. */
const endsAll = (error: unknown): boolean => error instanceof CallError && [401, 403, 429].includes(error.status);
