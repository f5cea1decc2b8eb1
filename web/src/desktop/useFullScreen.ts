import { useSyncExternalStore } from 'react';

export function useFullScreen(): { readonly full: boolean; readonly possible: boolean; readonly toggle: () => void } {
  const full = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const toggle = () => {
    // Refused without a gesture or by a policy of the frame: the button then simply stays as it is.
    const change = full ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => undefined);
  };
  return { full, possible: document.fullscreenEnabled, toggle };
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}
