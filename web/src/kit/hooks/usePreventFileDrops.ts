import { useEffect } from 'react';

const minded = ['dragover', 'drop'] as const;

/** Keeps a file that is dropped beside its target from replacing the page. */
export function usePreventFileDrops(): void {
  useEffect(() => {
    const hold = (event: DragEvent): void => {
      if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    for (const name of minded) addEventListener(name, hold);
    return () => {
      for (const name of minded) removeEventListener(name, hold);
    };
  }, []);
}
