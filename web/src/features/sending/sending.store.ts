import { CallError } from '#platform/api.ts';
import { createStore, type Store } from '#platform/store.ts';
import {
  type Attachment,
  type CompleteAttachment,
  isComplete,
  newKey,
  withCategory,
  withFile,
  withRestored,
  withSameForAll,
} from './attachments.ts';
import { mayRetry } from './may-retry.ts';

export interface SendingState {
  readonly attachments: readonly Attachment[];
  /** The summary is shown. */
  readonly step: 'files' | 'summary';
  /** From then on there is no way back (H2). */
  readonly isStarted: boolean;
  readonly isRunning: boolean;
}

export interface SendingParts {
  /** Sends one file; rejects with what the caller is told. */
  readonly send: (attachment: CompleteAttachment, options: SendOptions) => Promise<unknown>;
  /** Told when one is sent, and when one is not. */
  readonly onSettled: (attachment: Attachment) => void;
  /** Told when nothing more is to be sent for now. */
  readonly onRest: (attachments: readonly Attachment[]) => void;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (part: number) => void;
}

export interface Sending extends Pick<Store<SendingState>, 'getState' | 'subscribe'> {
  readonly add: (file: File) => void;
  /** Answers what brings it back to its place; until the files are being sent. */
  readonly remove: (key: string) => () => void;
  readonly chooseCategory: (key: string, categoryId: string) => void;
  readonly chooseType: (key: string, typeId: string) => void;
  /** Gives every file the category and the type of this one. */
  readonly applyToAll: (key: string) => void;
  /** Puts another file in the place of one that was refused; it waits to be sent. */
  readonly replace: (key: string, file: File) => void;
  readonly next: () => void;
  readonly back: () => void;
  /** Sends what is not sent, one after another; what failed before is tried again where that may help. */
  readonly start: () => void;
  /** Tries one again, after those that wait. */
  readonly retry: (key: string) => void;
  /** Breaks off what is under way and sends nothing more. */
  readonly stop: () => void;
}

/** The session is over, or the portal takes nothing more for now: the others would only be refused, too. */
const endsAll = (error: unknown): boolean => error instanceof CallError && [401, 403, 429].includes(error.status);

/** A sending of several files. It lives apart from what shows it: it goes on while its window is covered (H8). */
export const createSending = (parts: SendingParts): Sending => {
  const store = createStore<SendingState>({ attachments: [], step: 'files', isStarted: false, isRunning: false });
  const { getState, subscribe } = store;
  let control = new AbortController();
  const set = (part: Partial<SendingState>): void => store.setState({ ...getState(), ...part });
  const change = (key: string, changed: (attachment: Attachment) => Attachment): void =>
    set({ attachments: getState().attachments.map((attachment) => (attachment.key === key ? changed(attachment) : attachment)) });

  const run = async (): Promise<void> => {
    if (getState().isRunning) return;
    set({ isStarted: true, isRunning: true });
    const { signal } = control;
    await sendWaiting({ signal, change, getState }, parts);
    if (signal.aborted) return;
    set({ isRunning: false });
    parts.onRest(getState().attachments);
  };
  return {
    getState,
    subscribe,
    add: (file) => {
      const { step, attachments } = getState();
      if (step !== 'files') return;
      const attachment: Attachment = { key: newKey(), file, categoryId: undefined, typeId: undefined, state: 'PENDING', part: 0 };
      set({ attachments: [...attachments, attachment] });
    },
    remove: (key) => {
      const { attachments } = getState();
      const at = attachments.findIndex((attachment) => attachment.key === key && canBeRemoved(attachment));
      if (at >= 0) set({ attachments: attachments.toSpliced(at, 1) });
      return () => set({ attachments: withRestored(getState().attachments, attachments[at], at) });
    },
    chooseCategory: (key, categoryId) => change(key, (attachment) => withCategory(attachment, categoryId)),
    chooseType: (key, typeId) => change(key, (attachment) => ({ ...attachment, typeId })),
    applyToAll: (key) => set({ attachments: withSameForAll(getState().attachments, key) }),
    replace: (key, file) => change(key, (attachment) => withFile(attachment, file)),
    next: () => {
      const { attachments } = getState();
      if (attachments.length > 0 && attachments.every(isComplete)) set({ step: 'summary' });
    },
    back: () => {
      if (!getState().isStarted) set({ step: 'files' });
    },
    start: () => {
      set({ attachments: getState().attachments.map(again) });
      void run();
    },
    retry: (key) => {
      change(key, again);
      void run();
    },
    stop: () => {
      control.abort();
      control = new AbortController();
      set({ attachments: getState().attachments.map(waitingAgain), isRunning: false });
    },
  };
};

const canBeRemoved = ({ state }: Attachment): boolean => state !== 'IN_PROGRESS' && state !== 'SENT';
const again = (attachment: Attachment): Attachment =>
  attachment.state === 'ERROR' && mayRetry(attachment.error) ? { ...attachment, state: 'PENDING', part: 0, error: undefined } : attachment;
const waitingAgain = (attachment: Attachment): Attachment =>
  attachment.state === 'IN_PROGRESS' ? { ...attachment, state: 'PENDING', part: 0 } : attachment;

interface SendOneParts extends Pick<SendingParts, 'send'> {
  readonly signal: AbortSignal;
  readonly change: (key: string, changed: (attachment: Attachment) => Attachment) => void;
}

/** One after another, until nothing waits or one was refused for a reason that holds for all. */
const sendWaiting = async (
  { getState, signal, change }: Omit<SendOneParts, 'send'> & Pick<Store<SendingState>, 'getState'>,
  { send, onSettled }: SendingParts,
): Promise<void> => {
  for (;;) {
    const waiting = getState().attachments.find(({ state }) => state === 'PENDING');
    if (waiting === undefined || !isComplete(waiting)) return;
    const goesOn = await sendOne(waiting, { signal, change, send });
    const settled = getState().attachments.find(({ key }) => key === waiting.key);
    if (!signal.aborted && settled !== undefined) onSettled(settled);
    if (!goesOn) return;
  }
};

/** Answers whether the next one can be sent. */
const sendOne = async (attachment: CompleteAttachment, { signal, change, send }: SendOneParts): Promise<boolean> => {
  const { key } = attachment;
  const set = (part: Partial<Pick<Attachment, 'state' | 'part' | 'error'>>): void => {
    if (!signal.aborted) change(key, (before) => ({ ...before, ...part }));
  };
  set({ state: 'IN_PROGRESS', part: 0, error: undefined });
  try {
    await send(attachment, { signal, onProgress: (part) => set({ part }) });
    set({ state: 'SENT', part: 1 });
    return !signal.aborted;
  } catch (error) {
    set({ state: 'ERROR', part: 0, error });
    return !signal.aborted && !endsAll(error);
  }
};
