import { PdfPoolClosed } from './pdf.errors.ts';

/** `waiting`: a person waits for it. `publication`: the first page of a new document. `prefetch`: everything else. */
export type Priority = 'waiting' | 'publication' | 'prefetch';

export interface TaskOptions {
  priority: Priority;
  /** The client that the task is for. Clients of one priority alternate. Left out: one client for all. */
  client?: string | undefined;
  /** Removes a task that still waits. */
  signal?: AbortSignal | undefined;
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
/** A page of text takes a tenth of it. A slow task goes on, but no longer counts against the concurrency limit. */
const slowAfterMs = 250;

/** One priority queue in front of the threads. Within a priority the client that was served least recently is next. */
export const createPageScheduler = (limits: Limits): PageScheduler => new PageScheduler(limits);

export class PageScheduler {
  readonly #limits: Limits;
  readonly #queue: Entry[] = [];
  readonly #clients = new Map<string, Client>();
  #running = 0;
  #counted = 0;
  #starts = 0;
  #isClosed = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** `work` calls `onStart` when a thread has begun: a thread that is still starting does not count as slow. */
  async run<Result>(task: TaskOptions, work: (onStart: () => void) => Promise<Result>): Promise<Result> {
    task.signal?.throwIfAborted();
    if (this.#isClosed) throw new PdfPoolClosed();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const entry: Entry = { task, reject, start: () => this.#runNow(task, work).then(resolve, reject) };
    const leave = (): void => {
      if (!this.#queue.includes(entry)) return;
      this.#queue.splice(this.#queue.indexOf(entry), 1);
      reject(task.signal?.reason);
    };
    task.signal?.addEventListener('abort', leave);
    this.#queue.push(entry);
    this.#startNext();
    return promise.finally(() => task.signal?.removeEventListener('abort', leave));
  }

  /** Gives a task that still waits the priority and client of another request, if that is more urgent. */
  raise(task: TaskOptions, to: TaskOptions): void {
    if (rank[to.priority] >= rank[task.priority]) return;
    task.priority = to.priority;
    task.client = to.client;
    this.#startNext();
  }

  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new PdfPoolClosed());
  }

  #startNext(): void {
    for (let entry = this.#findNext(); entry !== undefined; entry = this.#findNext()) {
      this.#queue.splice(this.#queue.indexOf(entry), 1);
      void entry.start();
    }
  }

  #findNext(): Entry | undefined {
    const { threads, spareThreads } = this.#limits;
    if (this.#running >= threads + spareThreads) return undefined;
    let next: Entry | undefined;
    for (const entry of this.#queue) {
      const limit = entry.task.priority === 'waiting' ? threads : threads - 1;
      if (this.#counted >= limit || this.#clientOf(entry.task).running >= threads - 1) continue;
      if (next === undefined || this.#isBefore(entry.task, next.task)) next = entry;
    }
    return next;
  }

  #isBefore(one: TaskOptions, other: TaskOptions): boolean {
    if (one.priority !== other.priority) return rank[one.priority] < rank[other.priority];
    return this.#clientOf(one).lastStart < this.#clientOf(other).lastStart;
  }

  #clientOf({ client = '' }: TaskOptions): Client {
    return this.#clients.get(client) ?? { running: 0, lastStart: 0 };
  }

  async #runNow<Result>(task: TaskOptions, work: (onStart: () => void) => Promise<Result>): Promise<Result> {
    const { client: name = '' } = task;
    const client = this.#clientOf(task);
    this.#clients.set(name, client);
    client.running += 1;
    client.lastStart = ++this.#starts;
    this.#running += 1;
    this.#counted += 1;
    let isCounted = true;
    const stopCounting = (): void => {
      if (isCounted) this.#counted -= 1;
      isCounted = false;
    };
    let timer: NodeJS.Timeout | undefined;
    try {
      return await work(() => {
        timer ??= setTimeout(() => {
          stopCounting();
          this.#startNext();
        }, slowAfterMs);
      });
    } finally {
      clearTimeout(timer);
      stopCounting();
      this.#running -= 1;
      client.running -= 1;
      if (client.running === 0 && !this.#queue.some(({ task: { client: other = '' } }) => other === name)) this.#clients.delete(name);
      this.#startNext();
    }
  }
}
