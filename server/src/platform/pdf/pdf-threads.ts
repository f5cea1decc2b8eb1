import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Log } from '#platform/log/log.ts';
import type { Priority } from './page-scheduler.ts';
import type { WorkerBegun, WorkerReply, WorkerRequest, WorkerStart, WorkerTask } from './pdf-worker.messages.ts';
import { PdfPoolClosed } from './pdf.errors.ts';
import { watchThread } from './thread-time.ts';

interface Options {
  readonly log: Pick<Log, 'warn'>;
  readonly heapLimitBytes: number;
  readonly fontDir: string | undefined;
  readonly maxThreads: number;
  readonly idleTimeoutMs: number;
  /** Ready for pages that a client waits for before one is asked for; others start with their first task. */
  readonly minThreads: number;
}

interface Call {
  readonly priority: Priority;
  /** Of processor time; a generous bound of time itself is behind it. */
  readonly cpuMs: number;
  /** Called when the work begins: its time counts from then on. */
  readonly onStart: () => void;
  /** Terminates it. */
  readonly stop?: AbortSignal | undefined;
}

export class WorkerLost extends Error {
  override readonly name = 'WorkerLost';
  /** Its work took too long on whatever machine: another attempt would take as long. */
  readonly isOfWork: boolean;

  constructor(message: string, { isOfWork = false } = {}) {
    super(message);
    this.isOfWork = isOfWork;
  }
}

type Group = Piscina<WorkerTask, WorkerReply>;
type Begins = Map<number, (begun: WorkerBegun) => void>;

/** The threads themselves: started, ended, and terminated when one works too long. */
export function createPdfThreads(options: Options) {
  const begins: Begins = new Map();
  const open = (group: { minThreads: number; niceIncrement: number }): Promise<Group> => openGroup({ ...options, ...group, begins });
  // A lower priority of background threads, where the system allows it: calls, the database and pages that a client waits for run first.
  const interactive = open({ minThreads: options.minThreads, niceIncrement: 0 });
  // Elsewhere it would lower the whole process.
  const background = open({ minThreads: 0, niceIncrement: process.platform === 'linux' ? 10 : 0 });
  for (const group of [interactive, background])
    group.catch((error: unknown) => options.log.warn({ error }, 'PDF workers cannot be started'));
  let lastId = 0;
  let isClosed = false;

  return {
    /** Throws WorkerLost when the worker ended, or was terminated, and PdfPoolClosed. */
    async run(request: WorkerRequest, { priority, cpuMs, onStart, stop }: Call): Promise<WorkerReply> {
      const id = ++lastId;
      const limit = new AbortController();
      const ending = stop === undefined ? limit.signal : AbortSignal.any([limit.signal, stop]);
      let endWatch: (() => void) | undefined;
      try {
        const group = await (priority === 'waiting' ? interactive : background);
        if (isClosed) throw new PdfPoolClosed();
        begins.set(id, ({ threadId, usedMs }) => {
          onStart();
          const thread = group.threads.find((one) => one.threadId === threadId);
          const onOver: Parameters<typeof watchThread>[1]['onOver'] = ({ reason, isOfWork }) =>
            limit.abort(new WorkerLost(reason, { isOfWork }));
          endWatch = watchThread(thread, { cpuMs, usedBeforeMs: usedMs, onOver });
        });
        return await group.run({ ...request, id }, { signal: ending });
      } catch (error) {
        if (isClosed) throw new PdfPoolClosed();
        if (stop?.aborted === true) throw new WorkerLost('it was called off');
        // No document is to blame.
        if (endWatch === undefined) throw new Error('a PDF worker could not start', { cause: error });
        throw limit.signal.aborted ? limit.signal.reason : new WorkerLost(String(error));
      } finally {
        endWatch?.();
        begins.delete(id);
      }
    },
    /** Terminates what runs. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([(await interactive).destroy(), (await background).destroy()]);
    },
  };
}

/** Of JavaScript alone: the engine's memory and the file are outside of it. A worker that needs more ends, the process does not. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

interface GroupOptions extends Options {
  readonly niceIncrement: number;
  readonly begins: Readonly<Begins>;
}

/** Of the process. Half the time in which a thread starts goes into compiling what it imports. */
const compileCache = process.env['NODE_COMPILE_CACHE'];

async function openGroup({ log, begins, heapLimitBytes, fontDir, idleTimeoutMs, minThreads, ...threads }: GroupOptions): Promise<Group> {
  const start: WorkerStart = { module: await compileEngine(), isAheadOfTasks: minThreads > 0, heapLimitBytes, fontDir };
  const group: Group = new Piscina({
    filename: fileURLToPath(new URL('./pdf-worker.ts', import.meta.url)),
    workerData: start,
    minThreads,
    ...threads,
    idleTimeout: idleTimeoutMs,
    resourceLimits,
    execArgv: [],
    env: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache },
    // The worker's timers must run between tasks.
    atomics: 'disabled',
  });
  group.on('message', (message: WorkerBegun) => begins.get(message.begun)?.(message));
  group.on('error', (error: unknown) => log.warn({ error }, 'a PDF worker ended'));
  return group;
}

let engine: Promise<WebAssembly.Module> | undefined;

/** Once in a process, which may have several pools: a compiled module is shared by all threads. */
function compileEngine(): Promise<WebAssembly.Module> {
  engine ??= readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')).then((bytes) => WebAssembly.compile(bytes));
  return engine;
}
