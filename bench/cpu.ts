import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface Spent {
  readonly name: string;
  readonly parent: number;
  /** Of all its threads. */
  readonly ownMs: number;
  /** Of its children that have ended and were waited for. */
  readonly endedChildrenMs: number;
}

/** From proc(5): the fields after the name, which may hold blanks and brackets itself. */
const spentBy = (task: number | 'self' | `${number}/task/${string}`): Spent | undefined => {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${task}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ms = (at: number): number => (((fields[at] ?? 0) + (fields[at + 1] ?? 0)) * 1_000) / ticksPerSecond;
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  return { name, parent: fields[1] ?? 0, ownMs: ms(11), endedChildrenMs: ms(13) };
};

const require = (spent: Spent | undefined): Spent => {
  if (spent === undefined) throw new Error('a measured process has ended, or this is not Linux');
  return spent;
};

/** User and system time of one process so far, in steps of a tick (10 ms). */
export const cpuMsOf = (pid: number): number => require(spentBy(pid)).ownMs;

/** The same of a postmaster and everything it started: backends that have ended are in its own books. */
export const cpuMsOfFamily = (pid: number): number => {
  const { ownMs, endedChildrenMs } = require(spentBy(pid));
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => spentBy(Number(name)))
    .filter((spent) => spent?.parent === pid);
  return children.reduce((total, child) => total + (child?.ownMs ?? 0), ownMs + endedChildrenMs);
};

/** The same of the threads of one process that live and have such a name. */
export const cpuMsOfThreads = (pid: number, isCounted: (name: string) => boolean): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => spentBy(`${pid}/task/${thread}`))
    .reduce((total, spent) => total + (spent !== undefined && isCounted(spent.name) ? spent.ownMs : 0), 0);

/** Of this process's children that have ended. */
export const cpuMsOfEndedChildren = (): number => require(spentBy('self')).endedChildrenMs;
