import { useEffect, useEffectEvent, useRef } from 'react';
import { useDesktop, useWindows } from './desktop.context.ts';
import type { WindowsState } from './windows.state.ts';

const stateKey = 'openWindows';

const depthOf = (state: unknown): number => {
  const depth: unknown = state !== null && typeof state === 'object' ? Reflect.get(state, stateKey) : undefined;
  return typeof depth === 'number' ? depth : 0;
};

/** From back to front. */
const closableIds = ({ windows, order }: WindowsState): readonly string[] =>
  order.filter((id) => windows.some((window) => window.id === id && !window.locked));

const countOf = (state: WindowsState, phone: boolean): number => (phone ? closableIds(state).length : 0);

/** Keeps one history entry per window while `phone` holds, so that Back closes the window on top and then leads to the desk. */
export function usePhoneBack(phone: boolean): void {
  const desktop = useDesktop();
  const count = countOf(useWindows(), phone);
  // A step that this hook takes itself arrives later as a `popstate`, which must close nothing.
  const ownStep = useRef(false);
  const closing = useRef(false);

  const align = (open: number) => {
    if (ownStep.current || closing.current) return;
    const depth = depthOf(history.state);
    for (let next = depth + 1; next <= open; next += 1) history.pushState({ ...history.state, [stateKey]: next }, '');
    if (open < depth) {
      ownStep.current = true;
      history.go(open - depth);
    }
  };
  /** Closes these windows from the top until each has its entry, or one of them stays open. What a link opens meanwhile is none of them. */
  const closeDown = async (ids: readonly string[]) => {
    const closable = closableIds(desktop.getState()).filter((id) => ids.includes(id));
    const top = closable.at(-1);
    if (top === undefined || closable.length <= depthOf(history.state)) return;
    if (await desktop.close(top)) await closeDown(ids);
  };
  const follow = useEffectEvent(async () => {
    const isOwn = ownStep.current;
    ownStep.current = false;
    if (!isOwn && phone && !closing.current) {
      closing.current = true;
      await closeDown(closableIds(desktop.getState()));
      closing.current = false;
    }
    align(countOf(desktop.getState(), phone));
  });

  const alignTo = useEffectEvent(align);
  useEffect(() => alignTo(count), [count]);
  useEffect(() => {
    const handlePopState = () => void follow();
    addEventListener('popstate', handlePopState);
    return () => removeEventListener('popstate', handlePopState);
  }, []);
}
