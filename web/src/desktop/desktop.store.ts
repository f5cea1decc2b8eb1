import type { ComponentType } from 'react';
import { flushSync } from 'react-dom';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { type Beside, halfBeside, makeHalf } from './beside.ts';
import { createFocusReturn, type FocusReturn, focusDesk, focusTile } from './focus-return.ts';
import type { Rect, Size, SnapZone } from './geometry.ts';
import { createGeometryStore, type GeometryStore } from './geometry.store.ts';
import { createKeptLayout } from './layout.ts';
import { fadeOut, glide } from './motion.ts';
import { createTidying } from './tidying.ts';
import { createStore } from '#platform/store.ts';
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
  readonly keep?: { readonly storage: Storage; readonly user: string } | undefined;
  /** Whether the customer wants documents beside the list they are opened from, also when the list stands free. */
  readonly opensBeside?: () => boolean;
}

export type Desktop = ReturnType<typeof createDesktop>;

export function createDesktop({ catalogue, keep, opensBeside = () => false }: DesktopOptions) {
  const kinds = new Map(catalogue.map((kind) => [kind.kind, kind]));
  const geometry = createGeometryStore();
  const saving = createSaving({ keep, kinds, geometry });
  const { getState, setState, subscribe } = createStore(saving.restored);
  const save = () => saving.save(getState());
  const set = (next: windows.WindowsState) => {
    setState(next);
    save();
  };
  geometry.onKept(save);

  const kindOf = (kind: string): WindowKind => knownKind(kinds, kind);
  const focus = (id: string) => set(windows.focusWindow(getState(), id));
  const openers = createFocusReturn((id) => {
    focus(id);
    return windows.focusedId(getState()) === id;
  });
  const parts = { geometry, getState, set, openers };
  const { putBeside, ...placing } = createPlacing(parts);
  const { closeUnused, ...closing } = createClosing(parts);
  return {
    getState,
    subscribe,
    geometry,
    kindOf,
    titleOf: (window: windows.OpenWindow) => window.title ?? kindOf(window.kind).title(window.params),
    /** Opens or raises the window; answers its id. The focus goes back to `opener` (or to where it was) when it closes. */
    open: (kind: string, params: windows.WindowParams = {}, options: { readonly opener?: HTMLElement | null } = {}) => {
      const known = kindOf(kind);
      const id = idOf(known, params);
      openers.remember(id, options.opener ?? document.activeElement);
      const isNew = !isOpen(getState(), id);
      const beside = isNew && !known.single ? halfBeside({ geometry, state: getState(), kinds, always: opensBeside() }) : undefined;
      if (isNew) {
        closeUnused();
        saving.notes.delete(id);
      }
      geometry.begin(id, ownSize(known));
      if (beside !== undefined) putBeside(id, beside);
      set(windows.openWindow(getState(), { id, kind, params, locked: known.chrome === 'none' }));
      return id;
    },
    focus,
    ...closing,
    ...placing,
    retitle: (id: string, title: string) => set(windows.retitleWindow(getState(), id, title)),
    /** Keeps something of a window for a reload, such as the page that is read; renders nothing. */
    note: (id: string, part: windows.WindowParams) => {
      saving.notes.set(id, part);
      save();
    },
    /** Closes everything without asking and forgets the kept layout: signing out. */
    forget: () => {
      for (const { id } of getState().windows) for (const part of [geometry, openers]) part.drop(id);
      set(windows.noWindows);
      saving.remove();
    },
  };
}

type Kinds = ReadonlyMap<string, WindowKind>;

function knownKind(kinds: Kinds, kind: string): WindowKind {
  const found = kinds.get(kind);
  if (!found) throw new Error(`No window of kind ${kind}`);
  return found;
}

interface DesktopParts {
  readonly geometry: GeometryStore;
  readonly getState: () => windows.WindowsState;
  readonly set: (next: windows.WindowsState) => void;
  readonly openers: FocusReturn;
}

const isOpen = (state: windows.WindowsState, id: string): boolean => state.windows.some((window) => window.id === id);

/** The windows of before a reload, and what is kept for the next one, with what was noted of each. */
function createSaving(parts: Pick<DesktopOptions, 'keep'> & Pick<DesktopParts, 'geometry'> & { readonly kinds: Kinds }) {
  const { keep, kinds, geometry } = parts;
  const kept = keep && createKeptLayout(keep);
  const notes = new Map<string, windows.WindowParams>();
  const saved = kept?.read(({ id, kind, params }) => {
    const known = kinds.get(kind);
    return known !== undefined && known.chrome !== 'none' && idOf(known, params) === id;
  });
  for (const { id, kind } of saved?.state.windows ?? []) {
    const place = saved?.places.get(id);
    if (place) geometry.put(id, place);
    else geometry.begin(id, ownSize(kinds.get(kind)));
  }
  return {
    restored: saved?.state ?? windows.noWindows,
    notes,
    save: (state: windows.WindowsState) => kept?.save({ state: windows.withNotes(state, notes), places: geometry.places }),
    remove: () => kept?.remove(),
  };
}

function createClosing({ geometry, getState, set, openers }: DesktopParts) {
  const handlers = new Map<string, ClosingHandler>();
  const leaving = new Set<string>();
  /** Answers whether it was closed. `focus: 'stays'`: the caller takes care of the focus. */
  const close = async (id: string, options: { readonly focus?: 'returns' | 'stays' } = {}) => {
    if (leaving.has(id) || !isOpen(getState(), id)) return false;
    leaving.add(id);
    try {
      if ((await handlers.get(id)?.()) === false) return false;
      const element = geometry.findElement(id);
      if (element) await fadeOut(element);
      const hadFocus = windows.focusedId(getState()) === id;
      flushSync(() => set(windows.closeWindow(getState(), id)));
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
  return {
    close,
    onClosing: (id: string, handler: ClosingHandler) => {
      handlers.set(id, handler);
      return () => {
        if (handlers.get(id) === handler) handlers.delete(id);
      };
    },
    /** When there are too many: the window that was not used for longest and would not ask anything. */
    closeUnused: () => {
      if (getState().windows.length < windows.mostWindows) return;
      const unused = getState().order.find((id) => !handlers.has(id) && !leaving.has(id));
      if (unused !== undefined) void close(unused);
    },
  };
}

/** Changes sizes or places at once, then lets the windows travel there from where they were seen. */
function travel({ findElement }: GeometryStore, ids: readonly string[], act: () => void): void {
  const travellers = ids.flatMap((id) => findElement(id) ?? []).map((element) => ({ element, before: element.getBoundingClientRect() }));
  flushSync(act);
  glide(travellers);
}

function createPlacing({ geometry, getState, set }: DesktopParts) {
  const restore = (id: string) => set(windows.restoreWindow(getState(), id));
  const maximise = (id: string) => travel(geometry, [id], () => set(windows.maximiseWindow(getState(), id)));
  const isMaximised = (id: string) => getState().windows.some((window) => window.id === id && window.maximised);
  return {
    putBeside: (id: string, beside: Beside) => {
      travel(geometry, beside.list === undefined ? [] : [beside.list.id], () => set(makeHalf(geometry, getState(), beside)));
      geometry.put(id, { free: geometry.rectOf(id), zone: beside.zone });
    },
    maximise,
    restore: (id: string) => travel(geometry, [id], () => restore(id)),
    snap: (id: string, zone: SnapZone) =>
      travel(geometry, [id], () => {
        restore(id);
        geometry.put(id, { free: geometry.findPlace(id)?.free ?? geometry.rectOf(id), zone });
      }),
    /** Takes a full or snapped window off its edge at once, without travelling: a drag goes on with it. */
    release: (id: string, free: Rect) => {
      flushSync(() => restore(id));
      geometry.put(id, { free });
    },
    /** How a window stands now: the returned function puts it back so. */
    hold: (id: string) => {
      const [place, wasMaximised] = [geometry.findPlace(id), isMaximised(id)];
      return () => {
        if (place) geometry.put(id, place);
        if (wasMaximised) maximise(id);
      };
    },
    /** Gives a full window the place it had before, a snapped one its free place. */
    loosen: (id: string) =>
      travel(geometry, [id], () => {
        const place = geometry.findPlace(id);
        if (isMaximised(id)) restore(id);
        else if (place) geometry.put(id, { free: place.free });
      }),
    showDesk: (shown: boolean) => {
      const inWindow = document.activeElement?.closest('[data-window]') !== null;
      flushSync(() => set(windows.showDesk(getState(), shown)));
      if (getState().deskShown && inWindow) focusTile();
    },
    ...createTidying({ geometry, getState, set, travel: (ids, act) => travel(geometry, ids, act) }),
  };
}

function idOf({ kind, single }: WindowKind, params: windows.WindowParams): string {
  return single ? kind : `${kind}:${params['id'] ?? ''}`;
}

/** What a window is made for holds for text of the usual size; larger text gets as much more room. */
function ownSize(kind: WindowKind | undefined): Size | undefined {
  if (kind?.size === undefined || kind.size === 'default') return undefined;
  const times = Math.max(1, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / usualTextPx);
  return { width: kind.size.width * times, height: kind.size.height * times };
}

const usualTextPx = 16;
