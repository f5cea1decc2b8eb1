import { readFile, writeFile } from 'node:fs/promises';

const memoryMb = async (pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> => {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
};

/** The highest mark begins again from what is resident now. */
const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');

/** From before the work to the highest point in it, of the process that does it. */
export const peakMemoryMb = async (pid: number, work: () => Promise<void>): Promise<number> => {
  const idleMb = await memoryMb(pid, 'VmRSS');
  await forgetPeak(pid);
  await work();
  return (await memoryMb(pid, 'VmHWM')) - idleMb;
};
