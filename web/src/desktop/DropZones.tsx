import type { Ref } from 'react';
import css from './DropZones.module.css';
import { type DropZone, snapZones } from './geometry.ts';

const zones: readonly DropZone[] = ['full', ...snapZones];

/** Where a dragged window can be dropped: marks at the edges as soon as one is dragged, and the place itself once it would go there. */
export function DropZones({ ref }: { readonly ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} className={css['zones']} aria-hidden="true">
      {zones.map((zone) => (
        <span key={zone} className={css['mark']} data-at={zone} />
      ))}
      {zones.map((zone) => (
        <span key={zone} className={css['place']} data-at={zone} />
      ))}
    </div>
  );
}
