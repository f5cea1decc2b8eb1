import { useEffect, useRef } from 'react';
import { useLatest } from '#kit/hooks/useLatest.ts';

interface WayBack {
  /** Something covers the page from now on. */
  readonly cover: () => void;
  /** What a button does that goes back: as the browser's own does, so that nothing is left behind in its history. */
  readonly back: () => void;
}

/** What covers a page is left by the browser's own way back, which is the one that is taken on a phone; without this it leads off the page. */
export function useWayBack(isCovered: boolean, onBack: () => void): WayBack {
  const leaving = useRef(false);
  const handleBack = useLatest(() => {
    leaving.current = false;
    onBack();
  });
  useEffect(() => {
    if (!isCovered) return undefined;
    addEventListener('popstate', handleBack);
    return () => removeEventListener('popstate', handleBack);
  }, [isCovered, handleBack]);
  return {
    cover: () => history.pushState(history.state, ''),
    back: () => {
      // Pressed twice, it would go off the page after all.
      if (leaving.current) return;
      leaving.current = true;
      history.back();
    },
  };
}
