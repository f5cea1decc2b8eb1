import { AsyncLocalStorage } from 'node:async_hooks';

/** The fields of a line that name its request. */
export interface RequestMarks {
  readonly requestId: string;
  /** The client's address as far as it can be trusted: behind trusted proxies the visitor’s own. */
  readonly address: string;
}

const current = new AsyncLocalStorage<() => RequestMarks | undefined>();

/** Lines that are written meanwhile carry what `marks` gives at that moment. */
export const markLines = <Result>(marks: () => RequestMarks | undefined, work: () => Result): Result => current.run(marks, work);

export const currentMarks = (): RequestMarks | undefined => current.getStore()?.();
