import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever its own clock does (`sysconf(_SC_CLK_TCK)`). */
const tickMs = 10;

/**
 * Tells how many milliseconds a thread of this process has worked so far, by the number that the system knows it by; `undefined` where that
 * cannot be known. A thread that has ended counts as one that has worked without end.
 */
export const threadCpuMs = (systemThread: number | undefined): (() => number) | undefined => {
  if (systemThread === undefined || process.platform !== 'linux') return undefined;
  const path = `/proc/self/task/${systemThread}/stat`;
  const read = (): number => {
    try {
      const stat = readFileSync(path, 'latin1');
      // The name in brackets may hold spaces: fields are counted from its end. 14 and 15 of proc(5) are user and system time.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * tickMs;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  };
  return Number.isFinite(read()) ? read : undefined;
};
