import { listLimits } from '@pergamin/contract';
import { useRef } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import css from './TableHead.module.css';

interface ColumnGripProps {
  readonly name: string;
  /** px; `undefined` gives the column back its first width. */
  readonly onWidth: (width: number | undefined) => void;
}

const stepPx = 20;

/** The edge of a column: drag it, use the arrow keys on it, or double-click for the first width. */
export function ColumnGrip({ name, onWidth }: ColumnGripProps) {
  const drag = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const widthNow = (grip: HTMLElement) => grip.parentElement?.offsetWidth ?? listLimits.columnMinWidthPx;
  // Who does not see the column hears how wide it is now.
  const tell = (grip: HTMLElement, width: number) => grip.setAttribute('aria-valuenow', String(width));
  const resize = (grip: HTMLElement, wanted: number) => {
    const width = Math.max(listLimits.columnMinWidthPx, Math.round(wanted));
    tell(grip, width);
    if (width !== widthNow(grip)) onWidth(width);
  };
  const handlePointerDown = (event: PointerEvent<HTMLSpanElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: widthNow(event.currentTarget) };
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLSpanElement>) => {
    const change = event.key === 'ArrowLeft' ? -stepPx : event.key === 'ArrowRight' ? stepPx : 0;
    if (change === 0) return;
    event.preventDefault();
    resize(event.currentTarget, widthNow(event.currentTarget) + change);
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
      onPointerDown={handlePointerDown}
      onPointerMove={(event) => {
        if (drag.current) resize(event.currentTarget, drag.current.width + event.clientX - drag.current.x);
      }}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
      onKeyDown={handleKeyDown}
    />
  );
}
