import { memo } from 'react';
import { classes } from './classes.ts';
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

/** The seal of a document. It never carries meaning alone: words and the checksum stand beside it. */
export const Seal = memo(function Seal({ sha256, size, look = 'plain' }: SealProps) {
  const detail: SealDetail = size <= 40 ? 1 : size <= 110 ? 2 : 3;
  return (
    <svg
      className={classes(css['seal'], css[look], css[`detail-${detail}`])}
      style={{ width: size, height: size }}
      viewBox="0 0 1000 1000"
      aria-hidden="true"
      focusable="false"
    >
      {rosette(sha256, detail).map((path, band) => (
        // The bands of another seal take the places of these.
        // oxlint-disable-next-line react/no-array-index-key
        <path key={band} className={css[path.ink]} vectorEffect="non-scaling-stroke" d={path.d} />
      ))}
    </svg>
  );
});
