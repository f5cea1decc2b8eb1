import { listLimits } from '@pergamin/contract';
import { useRef } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import css from './TableHead.module.css';

interface ColumnGripProps {
  readonly name: string;
  /** px while the edge is being dragged. */
  readonly onDrag: (width: number) => void;
  /** px when it is let go; `undefined` gives the column back its first width. */
  readonly onWidth: (width: number | undefined) => void;
}

const stepPx = 20;

/** The edge of a column: drag it, use the arrow keys on it, or double-click for the first width. */
export function ColumnGrip({ name, onDrag, onWidth }: ColumnGripProps) {
  const drag = useRef<{ readonly x: number; readonly width: number; last: number }>(undefined);
  const widthNow = (grip: HTMLElement) => grip.parentElement?.offsetWidth ?? listLimits.columnMinWidthPx;
  const tell = (grip: HTMLElement, width: number) => grip.setAttribute('aria-valuenow', String(width));
  const handlePointerMove = (event: PointerEvent<HTMLSpanElement>) => {
    if (!drag.current) return;
    drag.current.last = Math.max(listLimits.columnMinWidthPx, Math.round(drag.current.width + event.clientX - drag.current.x));
    onDrag(drag.current.last);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLSpanElement>) => {
    const change = event.key === 'ArrowLeft' ? -stepPx : event.key === 'ArrowRight' ? stepPx : 0;
    if (change === 0) return;
    event.preventDefault();
    const width = Math.max(listLimits.columnMinWidthPx, widthNow(event.currentTarget) + change);
    // Who does not see the column hears how wide it is now.
    tell(event.currentTarget, width);
    onWidth(width);
  };
  return (
    <span
      className={css['grip']}
      role="separator"
      aria-orientation="vertical"
      aria-label={name}
      aria-valuemin={listLimits.columnMinWidthPx}
      aria-valuenow={listLimits.columnMinWidthPx}
      tabIndex={0}
      onFocus={(event) => tell(event.currentTarget, widthNow(event.currentTarget))}
      onDoubleClick={() => onWidth(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const width = widthNow(event.currentTarget);
        drag.current = { x: event.clientX, width, last: width };
      }}
      onPointerMove={handlePointerMove}
      onLostPointerCapture={() => {
        const moved = drag.current;
        drag.current = undefined;
        if (moved && moved.last !== moved.width) onWidth(moved.last);
      }}
      onKeyDown={handleKeyDown}
    />
  );
}
