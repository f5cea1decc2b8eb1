import { viewerLimits } from '@pergamin/contract';
import { useRef } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import css from './Splitter.module.css';

export interface SplitterProps {
  /** The accessible name, which names the panel: 'Width of the details panel'. */
  readonly name: string;
  /** Which panel the width belongs to: the one before the bar or the one after it. */
  readonly panel: 'before' | 'after';
  readonly width: number;
  readonly max: number;
  readonly onResize: (width: number) => void;
}

const step = 20;
const { panelMinWidthPx: min } = viewerLimits;

/** The bar between two panels: drag it, or focus it and use the arrow keys, Home and End. */
export function Splitter({ name, panel, width, max, onResize }: SplitterProps) {
  const start = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const sign = panel === 'before' ? 1 : -1;
  const most = Math.max(min, max);
  const resize = (next: number) => onResize(Math.round(Math.min(most, Math.max(min, next))));

  const handlePointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width };
  };
  const handlePointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (start.current) resize(start.current.width + sign * (event.clientX - start.current.x));
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape' && start.current) {
      resize(start.current.width);
      start.current = undefined;
      return;
    }
    const moves: Record<string, number> = { ArrowLeft: width - sign * step, ArrowRight: width + sign * step, Home: min, End: most };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  };
  return (
    <div
      className={css['splitter']}
      role="separator"
      aria-orientation="vertical"
      aria-label={name}
      aria-valuenow={Math.round(width)}
      aria-valuemin={min}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={handlePointerDown}
      onPointerMove={handlePointerMove}
      onLostPointerCapture={() => (start.current = undefined)}
      onKeyDown={handleKeyDown}
    />
  );
}
