import { useEffect, useRef } from 'react';

/** Does something once the component has gone: before that it holds the focus, and would take it back. */
export function useAfterwards(): (act: () => void) => void {
  const chosen = useRef<() => void>(undefined);
  useEffect(
    () => () => {
      if (chosen.current !== undefined) requestAnimationFrame(chosen.current);
    },
    [],
  );
  return (act) => void (chosen.current = act);
}
