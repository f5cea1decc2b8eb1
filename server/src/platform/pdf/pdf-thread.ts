import { constants, setPriority } from 'node:os';
import { threadCpuMs } from './thread-cpu.ts';
import { Worker } from 'node:worker_threads';
import type { WorkerMessage, WorkerReply, WorkerRequest, WorkerStart } from './pdf-worker.messages.ts';

/** The thread was ended in the middle of a request: it ran past the deadline, or died. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
}

export interface PdfThread {
  /**
   * One request at a time. Rejects with ThreadLost when the deadline passes; the next call starts a new worker. The deadline counts the
   * thread's own work where the system tells it, and at most `mostOfDeadline` times as much of the clock (of a calm thread
   * `mostOfCalmDeadline` times): a busy machine spoils no file.
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

interface Options {
  readonly makeStart: () => Promise<WorkerStart>;
  /** Everybody's calls go before it, where the system can do that. */
  readonly isCalm?: boolean;
  /** Ends its worker, and gives its memory back, when nobody has called for so long. Left out: never. */
  readonly restMs?: number | undefined;
}

export function createPdfThread({ makeStart, isCalm = false, restMs }: Options): PdfThread {
  let running: Promise<Worker> | undefined;
  let busySinceMs: number | undefined;
  /** Of the running worker, as the system counts threads. */
  let systemThread: number | undefined;
  let tellWorkedMs: (() => number) | undefined;
  /** How long the running worker had worked when it last said something. */
  let workedMs = 0;
  let isLowered = false;
  let rest: NodeJS.Timeout | undefined;
  const clockFactor = isCalm ? mostOfCalmDeadline : mostOfDeadline;

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
      const greeting = await nextMessage(worker, { deadlineMs: startDeadlineMs });
      systemThread = greeting.reply.kind === 'ready' ? greeting.reply.systemThread : undefined;
      tellWorkedMs = threadCpuMs(systemThread);
      workedMs = greeting.workedMs;
      isLowered = false;
      if (isCalm) lower(constants.priority.PRIORITY_BELOW_NORMAL);
    } catch (error) {
      await worker.terminate();
      // Not ThreadLost: no document is to blame.
      throw new Error('a PDF worker could not start', { cause: error });
    }
    // An idle thread does not keep the process alive, a working one does.
    worker.unref();
    return worker;
  }

  function begin(): Promise<Worker> {
    const starting = launch();
    const forget = () => {
      if (running === starting) running = undefined;
    };
    starting.then((worker) => worker.once('exit', forget), forget);
    return starting;
  }

  /** Forgets the worker at once: whoever calls from now on starts another, which the end of this one does not concern. */
  async function end(): Promise<void> {
    const ended = running;
    running = undefined;
    const worker = await ended?.catch(() => undefined);
    await worker?.terminate();
  }

  /** Whether the system has done it: a kindness to others, no condition of anything. What was lowered, only the system's owner may raise. */
  function lower(priority: number): boolean {
    if (systemThread === undefined) return false;
    try {
      setPriority(systemThread, priority);
      return true;
    } catch {
      return false;
    }
  }

  function beginRest(): void {
    if (restMs === undefined) return;
    clearTimeout(rest);
    rest = setTimeout(() => void end(), restMs).unref();
  }

  async function getWorker(): Promise<Worker> {
    return (running ??= begin());
  }

  return {
    async call(request, deadlineMs) {
      clearTimeout(rest);
      const worker = await getWorker();
      worker.ref();
      busySinceMs = performance.now();
      try {
        const [tellMs, before] = [tellWorkedMs, workedMs];
        const spentMs = tellMs === undefined ? undefined : () => tellMs() - before;
        const message = nextMessage(worker, { deadlineMs, clockFactor, spentMs });
        worker.postMessage(request, []);
        const { reply, workedMs: workedSoFarMs } = await message;
        workedMs = workedSoFarMs;
        return reply;
      } catch (error) {
        running = undefined;
        await worker.terminate();
        throw error;
      } finally {
        busySinceMs = undefined;
        worker.unref();
        beginRest();
        if (isLowered && running !== undefined) {
          running = undefined;
          await worker.terminate();
        }
      }
    },
    busyForMs: () => (busySinceMs === undefined ? 0 : performance.now() - busySinceMs),
    giveWay() {
      if (!isLowered && busySinceMs !== undefined) isLowered = lower(constants.priority.PRIORITY_LOW);
    },
    release() {
      const request: WorkerRequest = { kind: 'release' };
      void running?.then((worker) => worker.postMessage(request, [])).catch(() => undefined);
    },
    async start() {
      await getWorker();
    },
    async stop() {
      clearTimeout(rest);
      await end();
    },
  };
}

const startDeadlineMs = 60_000;
/** Of JavaScript alone: the engine's memory and the file lie outside of it. A thread that needs more ends, the process does not. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

export const mostOfDeadline = 2;
/** It gets what others leave. */
const mostOfCalmDeadline = 6;

interface Patience {
  readonly deadlineMs: number;
  readonly clockFactor?: number;
  /** How long the thread has worked for this; without it, only the clock counts. */
  readonly spentMs?: (() => number) | undefined;
}

function nextMessage(worker: Worker, { deadlineMs, clockFactor = 1, spentMs }: Patience): Promise<WorkerMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerMessage>();
  const startedMs = performance.now();
  const lost = (why: string) => reject(new ThreadLost(why));
  const onExit = () => lost('the thread ended');
  const onError = (error: Error) => lost(error.message);
  const workIsLeftMs = (): number => {
    if (spentMs === undefined) return 0;
    const clockIsLeftMs = startedMs + clockFactor * deadlineMs - performance.now();
    return Math.min(deadlineMs - spentMs(), clockIsLeftMs);
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
