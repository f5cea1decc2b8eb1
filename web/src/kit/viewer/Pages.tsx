import type { ReactNode } from 'react';
import type { PageLayout } from './page-layout.ts';
import type { PageImages } from './page-images.ts';
import { type PageSize, sizeOf } from './page-source.ts';
import type { PageTexts } from './page-texts.ts';
import css from './Pages.module.css';
import { SheetPage, type SheetTexts } from './SheetPage.tsx';
import type { Rotation } from './zoom.ts';

interface PagesProps {
  readonly count: number;
  readonly sizes: readonly PageSize[];
  readonly layout: PageLayout;
  readonly rotation: Rotation;
  /** Those in view are awaited: the others come after them. */
  readonly isBeginning: boolean;
  /** Pages in view. */
  readonly first: number;
  readonly last: number;
  readonly images: PageImages;
  readonly words: PageTexts;
  readonly texts: SheetTexts;
  readonly marksOf: (page: number) => ReactNode;
  readonly onDrawn: (page: number, picture: HTMLImageElement) => void;
}

/** So few pages are all there; of more, those in view and some around them. */
const fewPages = 30;
const pagesAround = 4;

/** All pages below one another. The list is as high as all of them, whichever are there. */
export function Pages({ count, sizes, layout, rotation, isBeginning, first, last, texts, marksOf, ...rest }: PagesProps) {
  const [few, around] = isBeginning ? [1, 0] : [fewPages, pagesAround];
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
              page={page}
              count={count}
              size={sizeOf(sizes, page)}
              box={box}
              rotation={rotation}
              texts={texts}
              marks={marksOf(page)}
              {...rest}
            />
          )
        );
      })}
    </ol>
  );
}
