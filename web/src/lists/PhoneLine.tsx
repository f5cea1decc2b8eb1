import type { ReactNode } from 'react';
import css from './PhoneLine.module.css';

/** Values beside one another, as many as find room; a dot stands between two of them, and never at the end of a line. */
export function PhoneLine({ parts }: { readonly parts: readonly ReactNode[] }) {
  return (
    <span className={css['line']}>
      <span className={css['parts']}>
        {parts.map((part, i) => (
          // The values of a line are as fixed as its columns.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={i} className={css['part']}>
            {part}
            {i < parts.length - 1 && <span className="visually-hidden">, </span>}
          </span>
        ))}
      </span>
    </span>
  );
}
