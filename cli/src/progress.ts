const eraseLine = '\r\u001B[2K';
const plainEveryMs = 30_000;

/** How far a command has come: a line that overwrites itself on a terminal; elsewhere, when asked for, a plain line every half minute. */
export const createProgress = (stream: NodeJS.WriteStream, { plainLines = false } = {}) => {
  let toldAtMs = performance.now();
  return {
    show(text: string) {
      if (stream.isTTY) stream.write(`${eraseLine}${text}`);
      else if (plainLines && performance.now() - toldAtMs >= plainEveryMs) {
        toldAtMs = performance.now();
        stream.write(`${text}\n`);
      }
    },
    clear() {
      if (stream.isTTY) stream.write(eraseLine);
    },
  };
};

const minuteMs = 60_000;

/** As `1200 of 20000, 85 a second, 4 min left`. */
export const progressOf = ({ done, total, sinceMs }: { done: number; total: number; sinceMs: number }): string => {
  const perMs = done / Math.max(1, sinceMs);
  const leftMs = perMs === 0 ? Number.POSITIVE_INFINITY : (total - done) / perMs;
  const left = leftMs < minuteMs ? 'less than a minute left' : `${Math.ceil(leftMs / minuteMs)} min left`;
  return `${done} of ${total}, ${(perMs * 1_000).toFixed(perMs * 1_000 < 10 ? 1 : 0)} a second${Number.isFinite(leftMs) ? `, ${left}` : ''}`;
};
