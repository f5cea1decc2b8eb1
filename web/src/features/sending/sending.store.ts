import { CallError } from '#platform/api.ts';
import { type Attachment, type CompleteAttachment, isComplete, newKey, withCategory } from './attachments.ts';
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

export interface Sending {
  readonly getState: () => SendingState;
  readonly subscribe: (listener: () => void) => () => void;
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
  /** Sends whatever is not sent, one after another; what failed before is tried again where that may help. */
  readonly start: () => void;
  /** Tries one again, after those that wait. */
  readonly retry: (key: string) => void;
  /** Breaks off what is under way and sends nothing more. */
  readonly stop: () => void;
}

/** The session is over, or the portal takes nothing more for now: the others would only be refused, too. */
const endsAll = (error: unknown): boolean => error instanceof CallError && [401, 403, 429].includes(error.status);

/** A sending of several files. It lives apart from what shows it: it goes on while its window is covered (H8). */
export const createSending = ({ send, onSettled, onRest }: SendingParts): Sending => {
  const listeners = new Set<() => void>();
  let state: SendingState = { attachments: [], step: 'files', isStarted: false, isRunning: false };
  let control = new AbortController();

  const set = (part: Partial<SendingState>): void => {
    state = { ...state, ...part };
    for (const listener of listeners) listener();
  };
  const change = (key: string, changed: (attachment: Attachment) => Attachment): void =>
    set({ attachments: state.attachments.map((attachment) => (attachment.key === key ? changed(attachment) : attachment)) });
  const settle = (key: string, part: Pick<Attachment, 'state' | 'part' | 'error'>): void => {
    change(key, (attachment) => ({ ...attachment, ...part }));
    const settled = state.attachments.find((attachment) => attachment.key === key);
    if (settled !== undefined) onSettled(settled);
  };

  /** Answers whether the next one can be sent. */
  const sendOne = async (attachment: CompleteAttachment, signal: AbortSignal): Promise<boolean> => {
    const { key } = attachment;
    change(key, (before) => ({ ...before, state: 'IN_PROGRESS', part: 0, error: undefined }));
    try {
      await send(attachment, {
        signal,
        onProgress: (part) => {
          if (!signal.aborted) change(key, (before) => ({ ...before, part }));
        },
      });
      if (signal.aborted) return false;
      settle(key, { state: 'SENT', part: 1 });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      settle(key, { state: 'ERROR', part: 0, error });
      return !endsAll(error);
    }
  };

  const run = async (): Promise<void> => {
    if (state.isRunning) return;
    set({ isStarted: true, isRunning: true });
    const { signal } = control;
    for (;;) {
      const waiting = state.attachments.find((attachment) => attachment.state === 'PENDING');
      if (waiting === undefined || !isComplete(waiting) || !(await sendOne(waiting, signal))) break;
    }
    if (signal.aborted) return;
    set({ isRunning: false });
    onRest(state.attachments);
  };
  const again = (attachment: Attachment): Attachment =>
    attachment.state === 'ERROR' && mayRetry(attachment.error)
      ? { ...attachment, state: 'PENDING', part: 0, error: undefined }
      : attachment;

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: (file) => {
      if (state.step !== 'files') return;
      const attachment: Attachment = { key: newKey(), file, categoryId: undefined, typeId: undefined, state: 'PENDING', part: 0 };
      set({ attachments: [...state.attachments, attachment] });
    },
    remove: (key) => {
      const at = state.attachments.findIndex((attachment) => attachment.key === key);
      const removed = state.attachments[at];
      if (removed === undefined || removed.state === 'IN_PROGRESS' || removed.state === 'SENT') return () => undefined;
      set({ attachments: state.attachments.toSpliced(at, 1) });
      return () => {
        if (!state.attachments.some((attachment) => attachment.key === key))
          set({ attachments: state.attachments.toSpliced(at, 0, removed) });
      };
    },
    chooseCategory: (key, categoryId) => change(key, (attachment) => withCategory(attachment, categoryId)),
    chooseType: (key, typeId) => change(key, (attachment) => ({ ...attachment, typeId })),
    applyToAll: (key) => {
      const { categoryId, typeId } = state.attachments.find((attachment) => attachment.key === key) ?? {};
      set({ attachments: state.attachments.map((attachment) => ({ ...attachment, categoryId, typeId })) });
    },
    replace: (key, file) =>
      // Another file is another sending: the server takes one key for one file.
      change(key, (attachment) =>
        attachment.state === 'ERROR' ? { ...attachment, key: newKey(), file, state: 'PENDING', part: 0, error: undefined } : attachment,
      ),
    next: () => {
      if (state.attachments.length > 0 && state.attachments.every(isComplete)) set({ step: 'summary' });
    },
    back: () => {
      if (!state.isStarted) set({ step: 'files' });
    },
    start: () => {
      set({ attachments: state.attachments.map(again) });
      void run();
    },
    retry: (key) => {
      change(key, again);
      void run();
    },
    stop: () => {
      control.abort();
      control = new AbortController();
      const attachments = state.attachments.map((attachment): Attachment =>
        attachment.state === 'IN_PROGRESS' ? { ...attachment, state: 'PENDING', part: 0 } : attachment,
      );
      set({ attachments, isRunning: false });
    },
  };
};
