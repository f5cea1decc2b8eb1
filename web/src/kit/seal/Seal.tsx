import { memo } from 'react';
import { classes } from '#kit/styles/classes.ts';
import { rosette, type SealDetail } from './rosette.ts';
import css from './Seal.module.css';

export interface SealProps {
  /** 64 hex digits. */
  readonly sha256: string;
  /** Edge in px; decides how dense the net is. */
  readonly size: number;
  /** `sweep` draws it in once, on success; `void` sets it in the error ink. */
  readonly look?: 'plain' | 'sweep' | 'void';
}

/** The edge of the drawing in its own units. */
const box = 1_000;
/** By how dense the net is. Counted into the drawing: a stroke that the browser itself keeps from growing with it costs each drawing more. */
const strokePx = { 1: 0.8, 2: 0.65, 3: 0.6 } as const;

/** The seal of a document. It never carries meaning alone: words and the checksum stand beside it. */
export const Seal = memo(function Seal({ sha256, size, look = 'plain' }: SealProps) {
  const detail: SealDetail = size <= 40 ? 1 : size <= 110 ? 2 : 3;
  return (
    <svg
      className={classes(css['seal'], css[look])}
      style={{ width: size, height: size, strokeWidth: (strokePx[detail] * box) / size }}
      viewBox={`0 0 ${box} ${box}`}
      aria-hidden="true"
      focusable="false"
    >
      {rosette(sha256, detail).map((path, band) => (
        // The bands of another seal take the places of these.
        // oxlint-disable-next-line react/no-array-index-key
        <polygon key={band} className={css[path.ink]} points={path.points} />
      ))}
    </svg>
  );
});
