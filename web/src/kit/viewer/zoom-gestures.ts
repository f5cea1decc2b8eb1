/** A place in the surface, in CSS pixels from its top left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** How much a notch of a wheel enlarges; a pinch on a touchpad comes as many small ones. */
const growthPerPx = 0.0025;
const mostPxAtOnce = 60;

const placeIn = (surface: HTMLElement, { x, y }: Place): Place => {
  const box = surface.getBoundingClientRect();
  return { x: x - box.left, y: y - box.top };
};

const twoFingers = ({ touches }: TouchEvent): { readonly distance: number; readonly middle: Place } | undefined => {
  const [one, other] = touches;
  if (one === undefined || other === undefined || touches.length > 2) return undefined;
  return {
    distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
    middle: { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 },
  };
};

type ZoomTo = (percent: number, place: Place) => void;

interface ZoomListener {
  readonly percentNow: () => number;
  readonly zoomTo: ZoomTo;
  readonly signal: AbortSignal;
}

/** Ctrl and the wheel, a pinch on a touchpad, two fingers on the screen; at most once a frame. What is at the pointer is to stay there. */
export const listenForZoom = (surface: HTMLElement, { percentNow, zoomTo, signal }: ZoomListener): void => {
  let wanted: { readonly percent: number; readonly place: Place } | undefined;
  const { schedule, cancel } = oncePerFrame(() => {
    if (wanted !== undefined) zoomTo(wanted.percent, wanted.place);
    wanted = undefined;
  });
  const want: ZoomTo = (percent, at) => {
    wanted = { percent, place: placeIn(surface, at) };
    schedule();
  };
  const handleWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 20;
    const px = Math.max(-mostPxAtOnce, Math.min(mostPxAtOnce, lines));
    want((wanted?.percent ?? percentNow()) * Math.exp(-px * growthPerPx), { x: event.clientX, y: event.clientY });
  };
  const handleTouch = pinchHandler(percentNow, want);
  const options = { passive: false, signal };
  signal.addEventListener('abort', cancel);
  surface.addEventListener('wheel', handleWheel, options);
  for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) surface.addEventListener(type, handleTouch, options);
};

const pinchHandler = (percentNow: () => number, zoomTo: ZoomTo): ((event: TouchEvent) => void) => {
  let pinch: { readonly distance: number; readonly percent: number } | undefined;
  return (event) => {
    const two = twoFingers(event);
    if (two === undefined) {
      pinch = undefined;
      return;
    }
    event.preventDefault();
    const { distance, middle } = two;
    if (event.type === 'touchstart' || pinch === undefined) pinch = { distance: Math.max(1, distance), percent: percentNow() };
    else zoomTo((pinch.percent * distance) / pinch.distance, middle);
  };
};

/** However often it is scheduled, it is done once with the next frame. */
export const oncePerFrame = (act: () => void): { readonly schedule: () => void; readonly cancel: () => void } => {
  let frame = 0;
  return {
    schedule: () => {
      if (frame !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        act();
      });
    },
    cancel: () => {
      cancelAnimationFrame(frame);
      frame = 0;
    },
  };
};
