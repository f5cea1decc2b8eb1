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

/** What is kept of a window's place. It may lie outside a surface that has become smaller, and is drawn inside until that has grown again. */
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
  const cascadeSteps = new Map<string, number>();
  const kept = createSignal();
  const unplaced = new Map<string, Size | undefined>();
  let surface: Size = { width: 0, height: 0 };
  let body: Size = { width: 0, height: 0 };

  /** Where it is drawn: its zone, else its free place, brought within reach. */
  const rectOf = (id: string): Rect => shownRect(places.get(id), surface);
  const { redraw, redrawAll, ...drawing } = createDrawing(rectOf);
  /** The first places, as soon as the surface is measured. */
  const placeNew = () => {
    if (surface.width === 0) return;
    for (const [id, own] of unplaced) {
      const size = startSize({ body, surface, own });
      places.set(id, { free: cascade({ body, surface, size, step: cascadeSteps.get(id) ?? 0 }) });
    }
    unplaced.clear();
  };
  /** One further than the window before it. */
  const takeStep = (id: string) => cascadeSteps.set(id, ([...cascadeSteps.values()].at(-1) ?? -1) + 1);
  const put = (id: string, place: Place) => {
    places.set(id, place);
    if (!cascadeSteps.has(id)) takeStep(id);
    redraw(id);
    kept.tell();
  };

  return {
    places: places as ReadonlyMap<string, Place>,
    surface: () => surface,
    setSurface: (nextSurface: Size, nextBody: Size) => {
      surface = nextSurface;
      body = nextBody;
      placeNew();
      if (surface.width > 0) redrawAll();
    },
    /** Gives a new window its first place, one step from the window opened before it. */
    begin: (id: string, own?: Size) => {
      if (places.has(id)) return;
      takeStep(id);
      unplaced.set(id, own);
      placeNew();
      redraw(id);
    },
    put,
    /** The customer has moved or resized it to this place, which may hang over an edge of the surface. */
    moveTo: (id: string, free: Rect) => put(id, isSameRect(fitInside(free, surface), free) ? { free } : { free, hungOver: surface }),
    drop: (id: string) => {
      for (const map of [places, cascadeSteps, unplaced]) map.delete(id);
    },
    findPlace: (id: string) => places.get(id),
    rectOf,
    ...drawing,
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

/** Windows as they are seen. While one is dragged only its transform and attributes are written. */
function createDrawing(rectOf: (id: string) => Rect) {
  const elements = new Map<string, HTMLElement>();
  let zones: HTMLElement | null = null;
  /** Draws a place that is not kept yet; `size: false` writes nothing but the transform. */
  const draw = (id: string, rect: Rect, { size }: { readonly size: boolean }) => {
    const style = elements.get(id)?.style;
    if (style === undefined) return;
    style.transform = `translate3d(${rect.x}px, ${rect.y}px, 0)`;
    if (!size) return;
    style.width = `${rect.width}px`;
    style.height = `${rect.height}px`;
  };
  const redraw = (id: string) => draw(id, rectOf(id), { size: true });
  return {
    draw,
    redraw,
    redrawAll: () => {
      for (const id of elements.keys()) redraw(id);
    },
    findElement: (id: string) => elements.get(id),
    attach: (id: string, element: HTMLElement) => {
      elements.set(id, element);
      redraw(id);
      return () => void elements.delete(id);
    },
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
