import { useEffect } from 'react';

const minded = ['dragover', 'drop'] as const;

/** A file that is dropped beside the window would take the page's place, and everything that was chosen with it. */
export function useStrayDrops(): void {
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
