import { PdfPoolClosed } from './pdf.errors.ts';

/** `waiting`: a person waits for it. `publication`: the first page of a new document, a document of a batch. `prefetch`: everything else. */
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
  /** Further threads, used while others run slow tasks. As many places at least are reserved for `waiting` as there are `threads`. */
  readonly spareThreads: number;
}

/** Called when a thread has begun: a thread that is still starting does not count as slow. */
type Work<Result> = (onStart: () => void, hurry: AbortSignal) => Promise<Result>;

interface Entry {
  readonly task: TaskOptions;
  readonly start: () => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

/** A task that runs. */
interface Run {
  readonly task: TaskOptions;
  isBackground: boolean;
  client: string;
  /** Slow tasks are not. */
  isCounted: boolean;
  hasBegun: boolean;
  /** A person waits for what was begun in the background, and it takes long. */
  readonly hurry: AbortController;
}

const rank: Record<Priority, number> = { waiting: 0, publication: 1, prefetch: 2 };
/** A page of text takes a tenth of it. A slow task goes on, but no longer counts against the concurrency limit. */
const slowAfterMs = 250;

const isBackground = ({ priority }: TaskOptions): boolean => priority !== 'waiting';

/** One priority queue in front of the threads. Within a priority the client that was served least recently is next. */
export const createPageScheduler = (limits: Limits): PageScheduler => new PageScheduler(limits);

export class PageScheduler {
  readonly #limits: Limits;
  readonly #queue: Entry[] = [];
  readonly #runs = new Set<Run>();
  /** When a client was served last, of those who have tasks. */
  readonly #lastStarts = new Map<string, number>();
  #starts = 0;
  #isClosed = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** `work` begins anew with higher priority when it is told to hurry. */
  async run<Result>(task: TaskOptions, work: Work<Result>): Promise<Result> {
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

  /** Gives a task the priority and client of another request, if that is more urgent. One that runs slowly in the background hurries. */
  raise(task: TaskOptions, to: TaskOptions): void {
    if (rank[to.priority] >= rank[task.priority]) return;
    task.priority = to.priority;
    task.client = to.client;
    for (const run of this.#runs) if (run.task === task) hurryUp(run);
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
    let next: Entry | undefined;
    for (const entry of this.#queue)
      if (this.#mayStart(entry.task) && (next === undefined || this.#isBefore(entry.task, next.task))) next = entry;
    return next;
  }

  /** What a person waits for waits for nothing that is done in the background, and no client takes all places. */
  #mayStart(task: TaskOptions): boolean {
    const { threads, spareThreads } = this.#limits;
    const runs = [...this.#runs];
    if (runs.length >= threads + spareThreads) return false;
    const alike = runs.filter((run) => run.isBackground === isBackground(task));
    const own = alike.filter(({ client }) => client === nameOf(task));
    if (isBackground(task))
      return countedOf(runs) < threads - 1 && alike.length < Math.max(threads - 1, spareThreads) && own.length < threads - 1;
    // Beside a slow page its client goes on reading.
    const ownPlaces = spareThreads > 1 ? threads : threads - 1;
    return countedOf(alike) < threads && countedOf(own) < threads - 1 && own.length < ownPlaces;
  }

  #isBefore(one: TaskOptions, other: TaskOptions): boolean {
    if (one.priority !== other.priority) return rank[one.priority] < rank[other.priority];
    return (this.#lastStarts.get(nameOf(one)) ?? 0) < (this.#lastStarts.get(nameOf(other)) ?? 0);
  }

  async #runNow<Result>(task: TaskOptions, work: Work<Result>): Promise<Result> {
    const client = nameOf(task);
    const run: Run = {
      task,
      client,
      isBackground: isBackground(task),
      isCounted: true,
      hasBegun: false,
      hurry: new AbortController(),
    };
    this.#runs.add(run);
    this.#lastStarts.set(client, ++this.#starts);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await work(() => {
        run.hasBegun = true;
        timer ??= setTimeout(() => {
          run.isCounted = false;
          if (!isBackground(task)) hurryUp(run);
          this.#startNext();
        }, slowAfterMs);
      }, run.hurry.signal);
    } finally {
      clearTimeout(timer);
      this.#runs.delete(run);
      for (const name of [client, run.client]) this.#forgetIfIdle(name);
      this.#startNext();
    }
  }

  #forgetIfIdle(name: string): void {
    const isBusy = this.#queue.some(({ task }) => nameOf(task) === name) || [...this.#runs].some((run) => run.client === name);
    if (!isBusy) this.#lastStarts.delete(name);
  }
}

const nameOf = ({ client = '' }: TaskOptions): string => client;

const countedOf = (runs: readonly Run[]): number => runs.filter(({ isCounted }) => isCounted).length;

/** Most pages are done sooner than a thread would begin them anew. */
function hurryUp(run: Run): void {
  if (!run.isBackground) return;
  const isSlow = !run.isCounted || !run.hasBegun;
  if (!isSlow) return;
  run.isBackground = false;
  run.client = nameOf(run.task);
  run.hurry.abort();
}
