import { createBoundedCache } from '#platform/cache/bounded-cache.ts';
import type { Clock } from '#platform/clock/clock.ts';
import { siteOf } from '#platform/http/network.ts';
import type { Log } from './log.ts';
import { currentMarks } from './request-lines.ts';

/** Of more than these the least recently used are forgotten: the next one of them is written at once. */
const maxSubjects = 20_000;

const everyMs = 60_000;

/** Rate limit for warnings that anonymous callers can cause at will. */
export interface RepeatedLines {
  /** Writes one line a minute for each subject and network; `times` counts the lines left out since. The subject must be one of few constants. */
  warn(subject: string, values: object, message: string): void;
}

export const createRepeatedLines = ({ log, clock }: { log: Log; clock: Clock }): RepeatedLines => {
  const written = createBoundedCache<{ atMs: number; unwritten: number }>(maxSubjects);
  return {
    warn(subject, values, message) {
      const nowMs = clock.now().getTime();
      const address = currentMarks()?.address ?? '';
      const key = `${subject} ${siteOf(address) ?? address}`;
      const last = written.get(key);
      if (last !== undefined && nowMs - last.atMs < everyMs) {
        last.unwritten += 1;
        return;
      }
      written.set(key, { atMs: nowMs, unwritten: 0 });
      log.warn({ ...values, times: (last?.unwritten ?? 0) + 1 }, message);
    },
  };
};
