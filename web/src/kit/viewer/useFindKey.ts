import { useEffect, useEffectEvent } from 'react';

/** Ctrl+F (on a Mac Cmd+F) looks in this document while the focus is in its window; elsewhere it stays the browser's. */
export function useFindKey(viewer: HTMLElement | null, onFind: (() => void) | undefined): void {
  const find = useEffectEvent(() => onFind?.());
  const isAvailable = onFind !== undefined;
  useEffect(() => {
    if (viewer === null || !isAvailable) return undefined;
    const handleKey = (event: KeyboardEvent): void => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f';
      if (!isFind || event.defaultPrevented) return;
      const window = viewer.closest('[data-region="window"]') ?? viewer;
      const isHere = event.target instanceof Node && window.contains(event.target);
      if (!isHere && !(event.target === document.body && window.matches('[data-focused]'))) return;
      event.preventDefault();
      find();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [viewer, isAvailable]);
}
