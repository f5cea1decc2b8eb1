import type { ComponentType } from 'react';
import { flushSync } from 'react-dom';
import type { IconName } from '#kit/icon-names.ts';
import type { Rect, Size, SnapZone } from './geometry.ts';
import { createGeometryStore, type GeometryStore } from './geometry.store.ts';
import { layoutKey, readLayout, saveLayout } from './layout.ts';
import { fadeOut, glide } from './motion.ts';
import * as windows from './windows.state.ts';

export interface WindowContentProps {
  readonly params: windows.WindowParams;
}

export interface WindowKind {
  readonly kind: string;
  readonly title: (params: windows.WindowParams) => string;
  readonly icon: IconName;
  /** The icon of its tab while it has the focus. */
  readonly activeIcon?: IconName;
  /** px; 80 % × 70 % of the body without one. */
  readonly size?: Size | 'default';
  /** One window of this kind, or one per `params.id`. */
  readonly single: boolean;
  /** `none`: full size, no buttons, everything else out of reach while it is open (the statute). */
  readonly chrome?: 'full' | 'none';
  /** Lazy, so that its code comes with the window. */
  readonly render: ComponentType<WindowContentProps>;
}

/** Asked before a window closes; `false` keeps it open. It may take its time: ask a question, send something. */
export type ClosingHandler = () => boolean | Promise<boolean>;

export interface DesktopOptions {
  readonly catalogue: readonly WindowKind[];
  /** Where the layout is kept over a reload, and whose it is. */
  readonly keep?: { readonly storage: Storage; readonly user: string };
}

export interface Desktop {
  readonly getState: () => windows.WindowsState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly geometry: GeometryStore;
  readonly kindOf: (kind: string) => WindowKind;
  readonly titleOf: (window: windows.OpenWindow) => string;
  /** Opens the window, or raises it when it is open; answers its id. The focus goes back to `opener` (or to where it was) when it closes. */
  readonly open: (kind: string, params?: windows.WindowParams, options?: { readonly opener?: HTMLElement | null }) => string;
  /** Answers whether it was closed. */
  readonly close: (id: string) => Promise<boolean>;
  readonly focus: (id: string) => void;
  readonly maximise: (id: string) => void;
  readonly restore: (id: string) => void;
  readonly snap: (id: string, zone: SnapZone) => void;
  /** Takes a full or snapped window off its edge at once, without travelling: a drag goes on with it. */
  readonly release: (id: string, free: Rect) => void;
  readonly retitle: (id: string, title: string) => void;
  readonly showDesk: (shown: boolean) => void;
  readonly onClosing: (id: string, handler: ClosingHandler) => () => void;
  readonly attach: (id: string, element: HTMLElement) => () => void;
  /** Closes everything without asking and forgets the kept layout: signing out. */
  readonly forget: () => void;
}

export function createDesktop({ catalogue, keep }: DesktopOptions): Desktop {
  const kinds = new Map(catalogue.map((kind) => [kind.kind, kind]));
  const geometry = createGeometryStore();
  const listeners = new Set<() => void>();
  const closing = new Map<string, ClosingHandler>();
  const openers = new Map<string, HTMLElement>();
  const elements = new Map<string, HTMLElement>();
  const leaving = new Set<string>();
  let state = windows.noWindows;

  const saved = keep
    ? readLayout(keep.storage.getItem(layoutKey(keep.user)), (kind) => kinds.get(kind)?.chrome !== 'none' && kinds.has(kind))
    : undefined;
  if (saved) {
    state = saved.state;
    for (const window of state.windows) {
      const place = saved.places.get(window.id);
      if (place) geometry.put(window.id, place);
      else geometry.begin(window.id, ownSize(kinds.get(window.kind)));
    }
  }
  const save = () => {
    const places = new Map(state.windows.flatMap(({ id }) => ((place) => (place ? [[id, place] as const] : []))(geometry.findPlace(id))));
    keep?.storage.setItem(layoutKey(keep.user), saveLayout({ state, places }));
  };
  const set = (next: windows.WindowsState) => {
    if (next === state) return;
    state = next;
    save();
    for (const listener of listeners) listener();
  };
  geometry.onKept(save);

  const kindOf = (kind: string): WindowKind => {
    const found = kinds.get(kind);
    if (!found) throw new Error(`No window of kind ${kind}`);
    return found;
  };
  /** Changes size or place at once, then lets the window travel there from where it was seen. */
  const travel = (id: string, act: () => void) => {
    const element = elements.get(id);
    const before = element?.getBoundingClientRect();
    flushSync(act);
    if (element && before) glide(element, before);
  };

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    geometry,
    kindOf,
    titleOf: (window) => window.title ?? kindOf(window.kind).title(window.params),
    open: (kind, params = {}, options = {}) => {
      const { single, chrome, size } = kindOf(kind);
      const id = single ? kind : `${kind}:${params['id'] ?? ''}`;
      const opener = options.opener ?? document.activeElement;
      if (opener instanceof HTMLElement && opener !== document.body && !elements.get(id)?.contains(opener)) openers.set(id, opener);
      geometry.begin(id, size === 'default' ? undefined : size);
      set(windows.openWindow(state, { id, kind, params, locked: chrome === 'none' }));
      return id;
    },
    close: async (id) => {
      if (leaving.has(id) || !state.windows.some((window) => window.id === id)) return false;
      leaving.add(id);
      try {
        if ((await closing.get(id)?.()) === false) return false;
        const element = elements.get(id);
        if (element) await fadeOut(element);
        flushSync(() => set(windows.closeWindow(state, id)));
        geometry.drop(id);
        giveFocusBack(openers.get(id));
        openers.delete(id);
        return true;
      } finally {
        leaving.delete(id);
      }
    },
    focus: (id) => set(windows.focusWindow(state, id)),
    maximise: (id) => travel(id, () => set(windows.maximiseWindow(state, id))),
    restore: (id) => travel(id, () => set(windows.restoreWindow(state, id))),
    snap: (id, zone) =>
      travel(id, () => {
        set(windows.restoreWindow(state, id));
        geometry.put(id, { free: geometry.findPlace(id)?.free ?? geometry.rectOf(id), zone });
      }),
    release: (id, free) => {
      flushSync(() => set(windows.restoreWindow(state, id)));
      geometry.put(id, { free });
    },
    retitle: (id, title) => set(windows.retitleWindow(state, id, title)),
    showDesk: (shown) => set(windows.showDesk(state, shown)),
    onClosing: (id, handler) => {
      closing.set(id, handler);
      return () => {
        if (closing.get(id) === handler) closing.delete(id);
      };
    },
    attach: (id, element) => {
      elements.set(id, element);
      const detach = geometry.attach(id, element);
      return () => {
        elements.delete(id);
        detach();
      };
    },
    forget: () => {
      for (const { id } of state.windows) geometry.drop(id);
      openers.clear();
      set(windows.noWindows);
      keep?.storage.removeItem(layoutKey(keep.user));
    },
  };
}

function ownSize(kind: WindowKind | undefined): Size | undefined {
  return kind?.size === 'default' ? undefined : kind?.size;
}

/** To the opener if it can still take it; otherwise the window now in front has it already, or the desk's first tile. */
function giveFocusBack(opener: HTMLElement | undefined): void {
  if (opener?.isConnected && !opener.closest('[inert]') && opener.checkVisibility({ visibilityProperty: true }))
    opener.focus({ preventScroll: true });
  else if (document.activeElement === document.body || document.activeElement === null)
    document.querySelector<HTMLElement>('[data-desk-start]')?.focus({ preventScroll: true });
}
