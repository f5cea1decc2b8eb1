import { windowLimits } from '@pergamin/contract';
import { createSignal } from '#platform/store.ts';
import { arrange } from './arrangement.ts';
import { isSameRect, type Rect, type Size, snapZones, zoneRect } from './geometry.ts';
import type { GeometryStore, Place } from './geometry.store.ts';
import { maximiseWindow, restoreWindow, showDesk, type WindowsState } from './windows.state.ts';

export interface Tidied {
  /** `nothing`: no windows, one that fills the screen for good, or a phone. */
  readonly done: 'tidied' | 'undone' | 'nothing';
  readonly windows: number;
}

interface Seat {
  readonly place: Place;
  readonly maximised: boolean;
}

export interface TidyingParts {
  readonly geometry: GeometryStore;
  readonly getState: () => WindowsState;
  readonly set: (next: WindowsState) => void;
  readonly travel: (ids: readonly string[], act: () => void) => void;
}

/** One step to see every window, and the same step back as long as nothing else was done to them. */
export function createTidying({ geometry, getState, set, travel }: TidyingParts) {
  const tidying = createSignal<Tidied>();
  let last: { readonly before: ReadonlyMap<string, Seat>; readonly after: ReadonlyMap<string, Seat> } | undefined;

  const seats = (): ReadonlyMap<string, Seat> =>
    new Map(
      getState().windows.map(({ id, maximised }) => [id, { place: geometry.findPlace(id) ?? { free: geometry.rectOf(id) }, maximised }]),
    );
  const take = (wanted: ReadonlyMap<string, Seat>) =>
    travel([...wanted.keys()], () => {
      let state = showDesk(getState(), false);
      for (const [id, { maximised }] of wanted) state = (maximised ? maximiseWindow : restoreWindow)(state, id);
      set(state);
      for (const [id, { place }] of wanted) geometry.put(id, place);
    });
  const tidy = (): Tidied['done'] => {
    const state = getState();
    const now = seats();
    if (now.size === 0 || state.windows.some((window) => window.locked) || innerWidth < windowLimits.mobileBelowPx) return 'nothing';
    const undone = last !== undefined && isSame(now, last.after) ? last.before : undefined;
    if (undone) last = undefined;
    else last = { before: now, after: tidied(state, now, geometry.surface()) };
    take(undone ?? last?.after ?? now);
    const done = undone ? 'undone' : 'tidied';
    tidying.tell({ done, windows: now.size });
    return done;
  };
  return { tidy, onTidied: tidying.subscribe };
}

function tidied(state: WindowsState, now: ReadonlyMap<string, Seat>, surface: Size): ReadonlyMap<string, Seat> {
  const { shape, rects } = arrange(now.size, surface);
  // Side by side as in the tab strip; in a cascade the ones in front are those that were in front.
  const ids = shape === 'grid' ? state.windows.map(({ id }) => id) : state.order;
  return new Map(
    ids.flatMap((id, i) => {
      const rect = rects[i];
      const seat = now.get(id);
      return rect && seat ? [[id, { place: seatAt(rect, seat.place, surface), maximised: false }] as const] : [];
    }),
  );
}

/** A half or a quarter stays one when the browser's size changes, and its window gets its own size back when it is dragged away. */
function seatAt(rect: Rect, before: Place, surface: Size): Place {
  const zone = snapZones.find((other) => isSameRect(zoneRect(other, surface), rect));
  return zone === undefined ? { free: rect } : { free: before.free, zone };
}

function isSame(a: ReadonlyMap<string, Seat>, b: ReadonlyMap<string, Seat>): boolean {
  return (
    a.size === b.size &&
    [...a].every(([id, seat]) => {
      const other = b.get(id);
      return (
        other !== undefined &&
        seat.maximised === other.maximised &&
        seat.place.zone === other.place.zone &&
        isSameRect(seat.place.free, other.place.free)
      );
    })
  );
}
