import { windowLimits } from '@pergamin/contract';
import type { GeometryStore } from './geometry.store.ts';
import { focusedId, type OpenWindow, restoreWindow, type WindowsState } from './windows.state.ts';

/** Half of a narrower desk shows too little of a page. */
const minSurfaceWidthPx = 960;

/** The half of a document, and the list that takes the other one. */
export interface Beside {
  readonly zone: 'left' | 'right';
  readonly list: OpenWindow | undefined;
}

interface BesideParts {
  readonly geometry: GeometryStore;
  readonly state: WindowsState;
  /** Windows of which there is one, such as lists, have documents opened from them. */
  readonly kinds: ReadonlyMap<string, { readonly single: boolean }>;
  /** The customer wants every document beside its list. */
  readonly always: boolean;
}

/** Where a document goes: into the free half beside a maximised or snapped list in front, or over the document in front; else it is free. */
export function halfBeside({ geometry, state, kinds, always }: BesideParts): Beside | undefined {
  const front = state.windows.find(({ id }) => id === focusedId(state));
  if (front === undefined || front.locked || innerWidth < windowLimits.mobileBelowPx) return undefined;
  if (geometry.surface().width < minSurfaceWidthPx) return undefined;
  const zone = front.maximised ? undefined : geometry.findPlace(front.id)?.zone;
  if (kinds.get(front.kind)?.single !== true) return zone === 'left' || zone === 'right' ? { zone, list: undefined } : undefined;
  if (!front.maximised && zone === undefined && !always) return undefined;
  return { zone: zone?.endsWith('right') === true ? 'left' : 'right', list: front };
}

/** Gives the list the half that the document beside it leaves; answers the new state. */
export function makeHalf(geometry: GeometryStore, state: WindowsState, { list, zone }: Beside): WindowsState {
  if (list === undefined) return state;
  const place = geometry.findPlace(list.id);
  const half = zone === 'right' ? 'left' : 'right';
  // A quarter of the same side stays one.
  if (list.maximised || place?.zone?.endsWith(half) !== true)
    geometry.put(list.id, { free: place?.free ?? geometry.rectOf(list.id), zone: half });
  return restoreWindow(state, list.id);
}
