import { useLayoutEffect } from 'react';
import type { Hit } from './find-text.ts';
import type { PageLayout } from './page-layout.ts';
import { sizeOf } from './page-source.ts';
import css from './Pages.module.css';
import type { RenderState } from './render-poll.ts';
import { SheetPage } from './SheetPage.tsx';
import type { VisiblePages } from './viewer.state.ts';
import type { Viewer } from './viewer.store.ts';
import type { Rotation } from './zoom.ts';

interface PagesProps {
  readonly viewer: Viewer;
  readonly layout: PageLayout;
  readonly rotation: Rotation;
  /** Those in view are awaited: the others come after them. */
  readonly isOpening: boolean;
  readonly visible: VisiblePages;
  readonly found: ReadonlyMap<number, readonly Hit[]>;
  readonly chosen: Hit | undefined;
  readonly failed: RenderState['failed'];
  readonly onShowFile: (() => void) | undefined;
}

/** So few pages are all there; of more, those in view and some around them. */
const fewPages = 30;
const pagesAround = 4;

/** All pages below one another. The list is as high as all of them, whichever are there. */
export function Pages(props: PagesProps) {
  const { viewer, layout, rotation, isOpening, visible, found, chosen, failed, onShowFile } = props;
  const { first, last } = visible;
  const { count, sizes } = viewer;
  useLayoutEffect(() => viewer.place(layout), [viewer, layout]);
  const [few, around] = isOpening ? [1, 0] : [fewPages, pagesAround];
  const from = count <= few ? 1 : Math.max(1, first - around);
  const to = count <= few ? count : Math.min(count, last + around);
  return (
    <ol className={css['sheets']} style={{ height: layout.height, minWidth: layout.width }}>
      {Array.from({ length: to - from + 1 }, (_, index) => from + index).map((page) => {
        const box = layout.boxes[page - 1];
        return (
          box && (
            <SheetPage
              key={page}
              {...{ viewer, page, box, rotation }}
              size={sizeOf(sizes, page)}
              hits={found.get(page)}
              failure={failed.get(page)}
              onShowFile={failed.has(page) ? onShowFile : undefined}
              chosen={chosen?.page === page ? chosen : undefined}
            />
          )
        );
      })}
    </ol>
  );
}
