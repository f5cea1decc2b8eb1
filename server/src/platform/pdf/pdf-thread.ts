import { constants, setPriority } from 'node:os';
import { threadCpuMs } from './thread-cpu.ts';
import { Worker } from 'node:worker_threads';
import type { WorkerReply, WorkerRequest, WorkerStart } from './pdf-worker.messages.ts';

/** The thread was ended in the middle of a request: it ran past the deadline, or died. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

export interface PdfThread {
  /**
   * One request at a time. Rejects with ThreadLost when the deadline passes; the next call starts a new worker. The deadline counts the
   * thread's own work where the system tells it, and at most `mostOfDeadline` times as much of the clock: a busy machine spoils no file.
   */
  call(request: WorkerRequest, deadlineMs: number): Promise<WorkerReply>;
  /** Lets go of the document that is held open for the next page. */
  release(): void;
  /** For how long the request that runs has been running; 0 when none does. */
  busyForMs(): number;
  /** Lets everything else on the machine go before the request that runs, where the system can do that. */
  giveWay(): void;
  /** Starts the worker, if it is not running, and waits until it is warm. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createPdfThread(makeStart: () => Promise<WorkerStart>): PdfThread {
  let running: Promise<Worker> | undefined;
  let current: Worker | undefined;
  let busySinceMs: number | undefined;
  /** Of the running worker, as the system counts threads. */
  let systemThread: number | undefined;
  let isLowered = false;

  async function launch(): Promise<Worker> {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      workerData: await makeStart(),
      execArgv: [],
      env: {},
      name: 'pdf',
      resourceLimits,
    });
    // Whoever waits for a reply hears of an error too; between requests nobody does, and it must not end the process.
    worker.on('error', () => {});
    try {
      const greeting = await nextReply(worker, { deadlineMs: startDeadlineMs });
      systemThread = greeting.kind === 'ready' ? greeting.systemThread : undefined;
      isLowered = false;
    } catch (error) {
      await worker.terminate();
      // Not ThreadLost: no document is to blame.
      throw new Error('a PDF worker could not start', { cause: error });
    }
    worker.once('exit', () => {
      if (current === worker) running = undefined;
    });
    current = worker;
    // An idle thread does not keep the process alive, a working one does.
    worker.unref();
    return worker;
  }

  async function getWorker(): Promise<Worker> {
    const starting = (running ??= launch());
    try {
      return await starting;
    } catch (error) {
      if (running === starting) running = undefined;
      throw error;
    }
  }

  return {
    async call(request, deadlineMs) {
      const worker = await getWorker();
      worker.ref();
      busySinceMs = performance.now();
      try {
        const reply = nextReply(worker, { deadlineMs, workedMs: threadCpuMs(systemThread) });
        worker.postMessage(request, []);
        return await reply;
      } catch (error) {
        running = undefined;
        await worker.terminate();
        throw error;
      } finally {
        busySinceMs = undefined;
        worker.unref();
        // What was lowered stays low: only the system's owner may raise it again.
        if (isLowered && running !== undefined) {
          running = undefined;
          await worker.terminate();
        }
      }
    },
    busyForMs: () => (busySinceMs === undefined ? 0 : performance.now() - busySinceMs),
    giveWay() {
      if (isLowered || systemThread === undefined || busySinceMs === undefined) return;
      try {
        setPriority(systemThread, constants.priority.PRIORITY_BELOW_NORMAL);
        isLowered = true;
      } catch {
        // A kindness to others, no condition of anything.
      }
    },
    release() {
      const request: WorkerRequest = { kind: 'release' };
      void running?.then((worker) => worker.postMessage(request, [])).catch(() => undefined);
    },
    async start() {
      await getWorker();
    },
    async stop() {
      const worker = await running?.catch(() => undefined);
      running = undefined;
      await worker?.terminate();
    },
  };
}

const startDeadlineMs = 60_000;
/** Of JavaScript alone: the engine's memory and the file lie outside of it. A thread that needs more ends, the process does not. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

export const mostOfDeadline = 2;

interface Patience {
  readonly deadlineMs: number;
  /** How long the thread has worked; without it, only the clock counts. */
  readonly workedMs?: (() => number) | undefined;
}

function nextReply(worker: Worker, { deadlineMs, workedMs }: Patience): Promise<WorkerReply> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerReply>();
  const [startedMs, workedBeforeMs] = [performance.now(), workedMs?.()];
  const lost = (why: string) => reject(new ThreadLost(why));
  const onExit = () => lost('the thread ended');
  const onError = (error: Error) => lost(error.message);
  const workIsLeftMs = (): number => {
    if (workedMs === undefined || workedBeforeMs === undefined) return 0;
    const clockIsLeftMs = startedMs + mostOfDeadline * deadlineMs - performance.now();
    return Math.min(deadlineMs - (workedMs() - workedBeforeMs), clockIsLeftMs);
  };
  // When this process itself was busy, the reply may have been waiting for as long as the timer: it goes first.
  const look = () => setImmediate(wait, workIsLeftMs());
  let timer = setTimeout(look, deadlineMs);
  let isOver = false;
  function wait(leftMs: number) {
    if (isOver) return;
    if (leftMs < leastWaitMs) lost(`no answer within ${deadlineMs} ms`);
    else timer = setTimeout(look, leftMs);
  }
  worker.once('message', resolve);
  worker.once('exit', onExit);
  worker.once('error', onError);
  return promise.finally(() => {
    isOver = true;
    clearTimeout(timer);
    worker.off('message', resolve);
    worker.off('exit', onExit);
    worker.off('error', onError);
  });
}

/** Of a deadline; less is not worth another look. */
const leastWaitMs = 20;
