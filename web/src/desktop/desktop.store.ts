import type { ComponentType } from 'react';
import { flushSync } from 'react-dom';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { createFocusReturn, focusDesk, focusTile } from './focus-return.ts';
import type { Rect, Size, SnapZone } from './geometry.ts';
import { createGeometryStore, type GeometryStore } from './geometry.store.ts';
import { createKeptLayout } from './kept-layout.ts';
import { fadeOut, glide } from './motion.ts';
import { createTidying, type Tidied } from './tidying.ts';
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
  /** Answers whether it was closed. `focus: 'stays'`: whoever asks takes care of the focus. */
  readonly close: (id: string, options?: { readonly focus?: 'returns' | 'stays' }) => Promise<boolean>;
  readonly focus: (id: string) => void;
  readonly maximise: (id: string) => void;
  readonly restore: (id: string) => void;
  readonly snap: (id: string, zone: SnapZone) => void;
  /** Takes a full or snapped window off its edge at once, without travelling: a drag goes on with it. */
  readonly release: (id: string, free: Rect) => void;
  /** Gives a full window the place it had before, a snapped one its free place. */
  readonly loosen: (id: string) => void;
  /** Puts all windows side by side (or in a cascade, if they are many); when nothing was moved since, back where they were. */
  readonly tidy: () => Tidied['done'];
  /** Told after each `tidy` that did something. */
  readonly onTidied: (listener: (tidied: Tidied) => void) => () => void;
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
  const elements = new Map<string, HTMLElement>();
  const leaving = new Set<string>();
  let state = windows.noWindows;

  const kept = keep && createKeptLayout(keep);
  const saved = kept?.read(({ id, kind, params }) => {
    const known = kinds.get(kind);
    return known !== undefined && known.chrome !== 'none' && idOf(known, params) === id;
  });
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
    kept?.save({ state, places });
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
  /** Changes sizes or places at once, then lets the windows travel there from where they were seen. */
  const travel = (ids: readonly string[], act: () => void) => {
    const travellers = ids.flatMap((id) => elements.get(id) ?? []).map((element) => ({ element, before: element.getBoundingClientRect() }));
    flushSync(act);
    glide(travellers);
  };
  const focus = (id: string) => set(windows.focusWindow(state, id));
  const openers = createFocusReturn((id) => {
    focus(id);
    return windows.focusedId(state) === id;
  });
  const close: Desktop['close'] = async (id, options = {}) => {
    if (leaving.has(id) || !state.windows.some((window) => window.id === id)) return false;
    leaving.add(id);
    try {
      if ((await closing.get(id)?.()) === false) return false;
      const element = elements.get(id);
      if (element) await fadeOut(element);
      const hadFocus = windows.focusedId(state) === id;
      flushSync(() => set(windows.closeWindow(state, id)));
      geometry.drop(id);
      // Closed from its tab while another window is worked in: the focus stays there.
      if (options.focus !== 'stays') {
        if (hadFocus) openers.give(id);
        else focusDesk();
      }
      openers.drop(id);
      return true;
    } finally {
      leaving.delete(id);
    }
  };
  /** The window that was not used for longest and would not ask anything goes first. */
  const makeRoom = () => {
    if (state.windows.length < windows.mostWindows) return;
    const unused = state.order.find((id) => !closing.has(id) && !leaving.has(id));
    if (unused !== undefined) void close(unused);
  };
  const { tidy, onTidied } = createTidying({ geometry, getState: () => state, set, travel });

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
      const known = kindOf(kind);
      const id = idOf(known, params);
      const opener = options.opener ?? document.activeElement;
      if (opener instanceof HTMLElement && opener !== document.body) openers.remember(id, opener);
      if (!state.windows.some((window) => window.id === id)) makeRoom();
      geometry.begin(id, ownSize(known));
      set(windows.openWindow(state, { id, kind, params, locked: known.chrome === 'none' }));
      return id;
    },
    close,
    focus,
    maximise: (id) => travel([id], () => set(windows.maximiseWindow(state, id))),
    restore: (id) => travel([id], () => set(windows.restoreWindow(state, id))),
    snap: (id, zone) =>
      travel([id], () => {
        set(windows.restoreWindow(state, id));
        geometry.put(id, { free: geometry.findPlace(id)?.free ?? geometry.rectOf(id), zone });
      }),
    release: (id, free) => {
      flushSync(() => set(windows.restoreWindow(state, id)));
      geometry.put(id, { free });
    },
    loosen: (id) =>
      travel([id], () => {
        const place = geometry.findPlace(id);
        const full = state.windows.some((window) => window.id === id && window.maximised);
        if (full) set(windows.restoreWindow(state, id));
        else if (place) geometry.put(id, { free: place.free });
      }),
    tidy,
    onTidied,
    retitle: (id, title) => set(windows.retitleWindow(state, id, title)),
    showDesk: (shown) => {
      const inWindow = document.activeElement?.closest('[data-window]') !== null;
      flushSync(() => set(windows.showDesk(state, shown)));
      if (state.deskShown && inWindow) focusTile();
    },
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
      for (const { id } of state.windows) {
        geometry.drop(id);
        openers.drop(id);
      }
      set(windows.noWindows);
      kept?.remove();
    },
  };
}

function idOf({ kind, single }: WindowKind, params: windows.WindowParams): string {
  return single ? kind : `${kind}:${params['id'] ?? ''}`;
}

/** What a window is made for holds for text of the usual size; whoever reads larger text gets as much more of it. */
function ownSize(kind: WindowKind | undefined): Size | undefined {
  if (kind?.size === undefined || kind.size === 'default') return undefined;
  const times = Math.max(1, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / usualTextPx);
  return { width: kind.size.width * times, height: kind.size.height * times };
}

const usualTextPx = 16;
