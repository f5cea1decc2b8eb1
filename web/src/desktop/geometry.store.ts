import {
  cascade,
  coveredOf,
  type DropZone,
  fitInside,
  isSameRect,
  keepReachable,
  type Rect,
  type Size,
  type SnapZone,
  startSize,
  zoneRect,
} from './geometry.ts';
import { createSignal } from '#platform/store.ts';

/**
 * What is kept of a window's place: where it should stand when free, and the zone it is snapped to. It may lie outside a surface that has become
 * smaller: drawn it is wholly inside, and it goes back there when the surface has grown again.
 */
export interface Place {
  readonly free: Rect;
  readonly zone?: SnapZone | undefined;
  /** The surface over whose edge the customer has moved it; on one of another size it is drawn wholly inside. */
  readonly hungOver?: Size | undefined;
}

export type GeometryStore = ReturnType<typeof createGeometryStore>;

const isSameSize = (a: Size | undefined, b: Size): boolean => a?.width === b.width && a.height === b.height;

/** Places live outside React: moving a window writes one style and renders nothing. */
export function createGeometryStore() {
  const places = new Map<string, Place>();
  const elements = new Map<string, HTMLElement>();
  const cascadeSteps = new Map<string, number>();
  const kept = createSignal();
  const unmeasured = new Map<string, Size | undefined>();
  let surface: Size = { width: 0, height: 0 };
  let body: Size = { width: 0, height: 0 };

  const measured = () => surface.width > 0;
  /** Where it is drawn: its zone, else its free place, brought within reach. */
  const rectOf = (id: string): Rect => shownRect(places.get(id), surface);
  /** Draws a place that is not kept yet; `size: false` writes nothing but the transform. */
  const draw = (id: string, rect: Rect, what: { readonly size: boolean }) => drawRect(elements.get(id), rect, what);
  const start = (id: string, own: Size | undefined) => {
    const size = startSize({ body, surface, own });
    places.set(id, { free: cascade({ body, surface, size, step: cascadeSteps.get(id) ?? 0 }) });
  };
  /** One further than the window before it. */
  const takeStep = (id: string) => cascadeSteps.set(id, ([...cascadeSteps.values()].at(-1) ?? -1) + 1);
  const redraw = (id: string) => draw(id, rectOf(id), { size: true });
  const put = (id: string, place: Place) => {
    places.set(id, place);
    if (!cascadeSteps.has(id)) takeStep(id);
    redraw(id);
    kept.tell();
  };

  return {
    surface: () => surface,
    /** The surface was measured anew: every window is drawn within reach of it. */
    setSurface: (nextSurface: Size, nextBody: Size) => {
      surface = nextSurface;
      body = nextBody;
      if (!measured()) return;
      for (const [id, own] of unmeasured) start(id, own);
      unmeasured.clear();
      for (const id of elements.keys()) redraw(id);
    },
    /** Gives a new window its first place, one step from the window opened before it. */
    begin: (id: string, own?: Size) => {
      if (places.has(id)) return;
      takeStep(id);
      if (measured()) start(id, own);
      else unmeasured.set(id, own);
      redraw(id);
    },
    put,
    /** The customer has moved or resized it to this place, which may hang over an edge of the surface. */
    moveTo: (id: string, free: Rect) => put(id, isSameRect(fitInside(free, surface), free) ? { free } : { free, hungOver: surface }),
    drop: (id: string) => {
      for (const map of [places, cascadeSteps, unmeasured]) map.delete(id);
    },
    findPlace: (id: string) => places.get(id),
    findElement: (id: string) => elements.get(id),
    rectOf,
    draw,
    attach: (id: string, element: HTMLElement) => {
      elements.set(id, element);
      redraw(id);
      return () => void elements.delete(id);
    },
    ...createDragPreview(elements, rectOf),
    /** Called after every kept change, to save the layout. */
    onKept: kept.subscribe,
  };
}

const nowhere: Rect = { x: 0, y: 0, width: 0, height: 0 };

/** Where a place lies on a surface; as kept, until that is measured. */
function shownRect(place: Place | undefined, surface: Size): Rect {
  if (place === undefined || surface.width === 0) return place?.free ?? nowhere;
  if (place.zone === undefined) return (isSameSize(place.hungOver, surface) ? keepReachable : fitInside)(place.free, surface);
  // Half of a very small surface is less than a window needs.
  return fitInside(zoneRect(place.zone, surface), surface);
}

function drawRect(element: HTMLElement | undefined, rect: Rect, { size }: { readonly size: boolean }): void {
  if (element === undefined) return;
  element.style.transform = `translate3d(${rect.x}px, ${rect.y}px, 0)`;
  if (!size) return;
  element.style.width = `${rect.width}px`;
  element.style.height = `${rect.height}px`;
}

/** What is shown while a window is dragged; only attributes are written. */
function createDragPreview(elements: ReadonlyMap<string, HTMLElement>, rectOf: (id: string) => Rect) {
  let zones: HTMLElement | null = null;
  return {
    attachZones: (element: HTMLElement | null) => void (zones = element),
    /** Marks those of the windows, from back to front, that lie wholly under another one: nothing of them needs to be drawn during a drag. */
    coverUp: (ids: readonly string[]) => {
      for (const [i, covered] of coveredOf(ids.map(rectOf)).entries()) elements.get(ids[i] ?? '')?.toggleAttribute('data-covered', covered);
    },
    uncover: () => {
      for (const element of elements.values()) element.removeAttribute('data-covered');
    },
    /** Shows where a dragged window can be dropped, and the zone it would drop into now. All are laid out beforehand: one attribute is written. */
    preview: (zone: DropZone | 'none') => {
      if (zones && zones.dataset['zone'] !== zone) zones.dataset['zone'] = zone;
    },
    endPreview: () => void delete zones?.dataset['zone'],
  };
}
