import { createContext, use, useEffect, useSyncExternalStore } from 'react';
import type { ClosingHandler, Desktop } from './desktop.store.ts';
import type { WindowsState } from './windows.state.ts';

export const DesktopContext = createContext<Desktop | undefined>(undefined);

export interface WindowValue {
  readonly id: string;
  /** Where the content's own title bar buttons go. */
  readonly actions: HTMLElement | null;
}
export const WindowContext = createContext<WindowValue | undefined>(undefined);

/** The window manager: `open`, `close`, `focus` … Reading it never renders anew; `useWindows` does. */
export function useDesktop(): Desktop {
  const desktop = use(DesktopContext);
  if (!desktop) throw new Error('Only inside <Desktop>');
  return desktop;
}

/** The open windows, rendered anew whenever one is opened, closed, raised or renamed. */
export function useWindows(): WindowsState {
  const { getState, subscribe } = useDesktop();
  return useSyncExternalStore(subscribe, getState);
}

/** The window this content stands in. */
export function useWindow(): { readonly id: string; readonly close: () => Promise<boolean> } {
  const { id } = useWindowContext();
  const { close } = useDesktop();
  return { id, close: () => close(id) };
}

/** Names the window by what it shows; `undefined` (not loaded yet) leaves it. */
export function useWindowTitle(title: string | undefined): void {
  const { id } = useWindowContext();
  const { retitle } = useDesktop();
  useEffect(() => {
    if (title !== undefined) retitle(id, title);
  }, [id, retitle, title]);
}

/** Asked before this window closes; answering `false` keeps it open. Without a handler it closes, also to make room for others. */
export function useWindowClosing(handler: ClosingHandler | undefined): void {
  const { id } = useWindowContext();
  const { onClosing } = useDesktop();
  useEffect(() => (handler === undefined ? undefined : onClosing(id, handler)));
}

export function useWindowContext(): WindowValue {
  const value = use(WindowContext);
  if (!value) throw new Error('Only inside a window');
  return value;
}
