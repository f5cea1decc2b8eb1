import * as z from 'zod/mini';
import { snapZones } from './geometry.ts';
import type { Place } from './geometry.store.ts';
import { closeWindow, mostWindows, type OpenWindow, restoreLayout, type WindowsState } from './windows.state.ts';

const rect = z.object({ x: z.number(), y: z.number(), width: z.number().check(z.positive()), height: z.number().check(z.positive()) });
const savedLayout = z.object({
  windows: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      params: z.record(z.string(), z.string()),
      title: z.optional(z.string()),
      maximised: z.boolean(),
      place: z.optional(
        z.object({
          free: rect,
          zone: z.optional(z.enum(snapZones)),
          hungOver: z.optional(z.object({ width: z.number(), height: z.number() })),
        }),
      ),
    }),
  ),
  order: z.array(z.string()),
});

export interface Layout {
  readonly state: WindowsState;
  readonly places: ReadonlyMap<string, Place>;
}

const layoutKeyStart = 'pergamin.layout.';

/** Under this key the layout of one client is kept; another shape gets another number. */
export function layoutKey(user: string): string {
  return `${layoutKeyStart}1.${user}`;
}

/** Locked windows are not kept: whether they are needed is decided anew. */
export function saveLayout({ state, places }: Layout): string {
  const windows = state.windows.filter((window) => !window.locked);
  const kept = new Set(windows.map((window) => window.id));
  return JSON.stringify({
    windows: windows.map(({ id, kind, params, title, maximised }) => ({ id, kind, params, title, maximised, place: places.get(id) })),
    order: state.order.filter((id) => kept.has(id)),
  });
}

type IsOurs = (window: Pick<OpenWindow, 'id' | 'kind' | 'params'>) => boolean;

/** `undefined` for anything that was not saved by us. Windows that are not `isOurs` are left out, and so are the hindmost of too many. */
export function readLayout(text: string | null, isOurs: IsOurs): Layout | undefined {
  const parsed = savedLayout.safeParse(attempt(() => JSON.parse(text ?? '')));
  if (!parsed.success) return undefined;
  const saved = parsed.data.windows.filter(isOurs);
  const all = restoreLayout({ windows: saved.map(({ place: _, ...window }) => ({ ...window, locked: false })), order: parsed.data.order });
  const state = all.order.slice(0, -mostWindows).reduce(closeWindow, all);
  const open = new Set(state.order);
  return { state, places: new Map(saved.flatMap(({ id, place }) => (place && open.has(id) ? [[id, place]] : []))) };
}

/** The layout of one person in the storage of this tab. A storage that refuses is no reason to stop: then nothing is kept. */
export function createKeptLayout({ storage, user }: { readonly storage: Storage; readonly user: string }) {
  const key = layoutKey(user);
  return {
    read: (isOurs: IsOurs) =>
      attempt(() => {
        removeLayouts(storage, key);
        return readLayout(storage.getItem(key), isOurs);
      }),
    save: (layout: Layout) => attempt(() => storage.setItem(key, saveLayout(layout))),
    remove: () => attempt(() => storage.removeItem(key)),
  };
}

/** A layout names documents: it does not outlive the session, nor is it there for another person. `except`: the key of the layout that stays. */
export const removeLayouts = (storage: Storage, except?: string): void => {
  for (const key of Object.keys(storage)) if (key.startsWith(layoutKeyStart) && key !== except) storage.removeItem(key);
};

/** Whether windows were left in this tab: then the desk begins with them, not with its greeting. */
export const keepsWindows = (storage: Storage): boolean =>
  Object.keys(storage).some(
    (key) => key.startsWith(layoutKeyStart) && (readLayout(storage.getItem(key), () => true)?.state.order.length ?? 0) > 0,
  );

/** A full storage, or one that is switched off, throws at any call; and so does a text that was not saved by us. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
