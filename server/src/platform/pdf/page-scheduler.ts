import { PdfPoolClosed } from './pdf.errors.ts';

/** `waiting`: a person waits for it. `publication`: the first page of a new document. `prefetch`: everything else. */
export type Priority = 'waiting' | 'publication' | 'prefetch';

export interface TaskOptions {
  priority: Priority;
  /** Who it is done for. Clients of one priority alternate. Left out: one client for all. */
  client?: string | undefined;
  /** Removes a task that still waits. */
  signal?: AbortSignal | undefined;
}

export interface PageScheduler {
  /** `work` calls `onStart` when a thread has begun: a thread that is still starting does not count as slow. */
  run<Result>(task: TaskOptions, work: (onStart: () => void) => Promise<Result>): Promise<Result>;
  /** Gives a task that still waits the priority and client of another request, if that is more urgent. */
  raise(task: TaskOptions, to: TaskOptions): void;
  close(): void;
}

interface Limits {
  /** Tasks that run at once. One of these places is reserved for `waiting`. */
  readonly threads: number;
  /** Further threads, used while others run slow tasks. */
  readonly spareThreads: number;
}

interface Entry {
  readonly task: TaskOptions;
  readonly start: () => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

interface Client {
  running: number;
  lastStart: number;
}

const rank: Record<Priority, number> = { waiting: 0, publication: 1, prefetch: 2 };
/** A page of text takes a tenth of it. A slow task goes on, but no longer counts against the limit. */
const slowAfterMs = 250;

/** One priority queue in front of the threads. Within a priority the client that was served least recently is next. */
export function createPageScheduler({ threads, spareThreads }: Limits): PageScheduler {
  const queue: Entry[] = [];
  const clients = new Map<string, Client>();
  const perClient = threads - 1;
  let running = 0;
  let counted = 0;
  let starts = 0;
  let isClosed = false;

  const clientOf = ({ client = '' }: TaskOptions): Client => clients.get(client) ?? { running: 0, lastStart: 0 };

  const isBefore = (one: TaskOptions, other: TaskOptions): boolean =>
    one.priority === other.priority ? clientOf(one).lastStart < clientOf(other).lastStart : rank[one.priority] < rank[other.priority];

  const findNext = (): Entry | undefined => {
    if (running >= threads + spareThreads) return undefined;
    let next: Entry | undefined;
    for (const entry of queue) {
      const limit = entry.task.priority === 'waiting' ? threads : threads - 1;
      if (counted >= limit || clientOf(entry.task).running >= perClient) continue;
      if (next === undefined || isBefore(entry.task, next.task)) next = entry;
    }
    return next;
  };

  const startNext = (): void => {
    for (let entry = findNext(); entry !== undefined; entry = findNext()) {
      queue.splice(queue.indexOf(entry), 1);
      void entry.start();
    }
  };

  const runNow = async <Result>({ client: name = '' }: TaskOptions, work: (onStart: () => void) => Promise<Result>): Promise<Result> => {
    const client = clients.get(name) ?? { running: 0, lastStart: 0 };
    clients.set(name, client);
    client.running += 1;
    client.lastStart = ++starts;
    running += 1;
    counted += 1;
    let isCounted = true;
    const stopCounting = (): void => {
      if (isCounted) counted -= 1;
      isCounted = false;
    };
    let timer: NodeJS.Timeout | undefined;
    try {
      return await work(() => {
        timer ??= setTimeout(() => {
          stopCounting();
          startNext();
        }, slowAfterMs);
      });
    } finally {
      clearTimeout(timer);
      stopCounting();
      running -= 1;
      client.running -= 1;
      if (client.running === 0 && !queue.some(({ task }) => (task.client ?? '') === name)) clients.delete(name);
      startNext();
    }
  };

  return {
    async run<Result>(task: TaskOptions, work: (onStart: () => void) => Promise<Result>): Promise<Result> {
      task.signal?.throwIfAborted();
      if (isClosed) throw new PdfPoolClosed();
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const entry: Entry = { task, reject, start: () => runNow(task, work).then(resolve, reject) };
      const leave = (): void => {
        if (!queue.includes(entry)) return;
        queue.splice(queue.indexOf(entry), 1);
        reject(task.signal?.reason);
      };
      task.signal?.addEventListener('abort', leave);
      queue.push(entry);
      startNext();
      return promise.finally(() => task.signal?.removeEventListener('abort', leave));
    },
    raise(task, to) {
      if (rank[to.priority] >= rank[task.priority]) return;
      task.priority = to.priority;
      task.client = to.client;
      startNext();
    },
    close() {
      isClosed = true;
      for (const { reject } of queue.splice(0)) reject(new PdfPoolClosed());
    },
  };
}
