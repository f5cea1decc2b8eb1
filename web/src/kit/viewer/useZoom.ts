import { useMemo, useState } from 'react';
import { layOutPages, type PageLayout, type Room } from './page-layout.ts';
import { type PageSize, sizeOf } from './page-source.ts';
import { percentAt, rotatedRight, type Rotation, turned, type Zoom } from './zoom.ts';

interface ZoomOptions {
  readonly count: number;
  readonly sizes: readonly PageSize[];
  readonly room: Room | undefined;
}

export interface Zooming {
  readonly zoom: Zoom;
  readonly rotation: Rotation;
  /** Undefined until there is room. */
  readonly layout: PageLayout | undefined;
  readonly setZoom: (zoom: Zoom) => void;
  readonly rotate: () => void;
  /** What the zoom, or another one, amounts to on this page. */
  readonly percentOn: (page: number, zoom?: Zoom) => number;
}

/** How large pages are, which way up, and where that puts them. */
export function useZoom({ count, sizes, room }: ZoomOptions): Zooming {
  const [zoom, setZoom] = useState<Zoom>('width');
  const [rotation, setRotation] = useState<Rotation>(0);
  const layout = useMemo(() => room && layOutPages({ count, sizes, zoom, rotation, room }), [count, sizes, zoom, rotation, room]);
  const percentOn = (page: number, which: Zoom = zoom): number =>
    room === undefined ? 100 : percentAt(which, turned(sizeOf(sizes, page), rotation), room);
  return { zoom, rotation, layout, setZoom, rotate: () => setRotation(rotatedRight), percentOn };
}
