import { useCallback, useLayoutEffect, useRef } from 'react';

/** One function for the life of the component that does what the newest one does: parts that got it need not be rendered anew. */
export function useLatest<Arguments extends readonly unknown[], Result>(
  newest: (...parts: Arguments) => Result,
): (...parts: Arguments) => Result {
  const kept = useRef(newest);
  useLayoutEffect(() => {
    kept.current = newest;
  });
  return useCallback((...parts: Arguments) => kept.current(...parts), []);
}
