import type { Worker } from 'node:worker_threads';

/** Behind the limit of processor time: a busy machine gives a thread a small share of a processor, and one that waits for a disk uses none. */
const wallTimes = 12;

interface TimeLimit {
  /** Of the processor, from when the work began. */
  readonly cpuMs: number;
  /** What the thread had used by then. */
  readonly usedBeforeMs: number;
  /** Called once at most. `isOfWork`: the work took too long, and would so again. */
  readonly onOver: (over: { readonly reason: string; readonly isOfWork: boolean }) => void;
}

/** Processor time of a thread in ms. */
export const msOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/** Watches how long a thread works. To be ended with the function that it gives. */
export const watchThread = (thread: Pick<Worker, 'cpuUsage'> | undefined, { cpuMs, usedBeforeMs, onOver }: TimeLimit): (() => void) => {
  const wallMs = cpuMs * wallTimes;
  let isEnded = false;
  let next: NodeJS.Timeout | undefined;
  const end = (): void => {
    isEnded = true;
    clearTimeout(wall);
    clearTimeout(next);
  };
  const look = async (): Promise<void> => {
    const usedMs = thread === undefined ? 0 : msOf(await thread.cpuUsage()) - usedBeforeMs;
    if (isEnded) return;
    if (usedMs >= cpuMs) {
      end();
      return onOver({ reason: `no answer within ${cpuMs} ms of processor time`, isOfWork: true });
    }
    // It cannot use more than one processor.
    lookIn(cpuMs - usedMs);
  };
  const lookIn = (ms: number): void => {
    // A thread that has ended tells so itself.
    next = setTimeout(() => void look().catch(() => undefined), Math.max(1, ms));
  };
  const overWall = (): void => {
    if (isEnded) return;
    end();
    onOver({ reason: `no answer within ${wallMs} ms`, isOfWork: false });
  };
  // After a busy spell the reply and the timer may be due in the same turn of the event loop: the reply is read first.
  const wall = setTimeout(() => setImmediate(overWall), wallMs);
  lookIn(cpuMs);
  return end;
};
