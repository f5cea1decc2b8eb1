import { AsyncLocalStorage } from 'node:async_hooks';

/** What a line says of the request that it is about. */
export interface RequestMarks {
  readonly requestId: string;
  /** Where the request comes from, as far as it can be believed: behind trusted proxies the visitor’s own address. */
  readonly address: string;
}

const current = new AsyncLocalStorage<() => RequestMarks | undefined>();

/** Lines that are written meanwhile carry what `marks` gives at that moment. */
export const markLines = <Result>(marks: () => RequestMarks | undefined, work: () => Result): Result => current.run(marks, work);

export const currentMarks = (): RequestMarks | undefined => current.getStore()?.();
