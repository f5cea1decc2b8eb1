import { memo, useSyncExternalStore } from 'react';
import { Button } from '../Button.tsx';
import { Spinner } from '../Spinner.tsx';
import type { PageImages } from './page-images.ts';
import type { PageSize } from './page-source.ts';
import css from './PageViewer.module.css';
import { type Rotation, turned } from './zoom.ts';

export interface SheetTexts {
  readonly pageOf: (page: number) => string;
  readonly loadingPage: (page: number) => string;
  readonly pageFailed: (page: number) => string;
  readonly tryAgain: string;
}

interface SheetPageProps {
  readonly page: number;
  readonly size: PageSize;
  /** CSS pixels of the page as it lies. */
  readonly width: number;
  readonly rotation: Rotation;
  readonly images: PageImages;
  readonly texts: SheetTexts;
  /** The image is on the screen: only then can a page have been read. */
  readonly onDrawn: (page: number, url: string) => void;
}

/** One sheet of paper. Its box has the page's shape before the image comes, so that nothing jumps. */
export const SheetPage = memo(function SheetPage({ page, size, width, rotation, images, texts, onDrawn }: SheetPageProps) {
  const image = useSyncExternalStore(images.subscribe, () => images.imageOf(page));
  const box = turned(size, rotation);
  const height = (width * box.height) / box.width;
  // The image itself is never turned: it lies across a box that is.
  const lying = rotation % 180 === 0 ? { width, height } : { width: height, height: width };
  return (
    <li className={css['sheet']} data-page={page} style={{ width, height }}>
      {image.state === 'shown' && (
        <img
          src={image.url}
          alt={texts.pageOf(page)}
          draggable={false}
          decoding="async"
          style={{ ...lying, transform: `translate(-50%, -50%) rotate(${rotation}deg)` }}
          onLoad={() => onDrawn(page, image.url)}
        />
      )}
      {image.state === 'waiting' && (
        <span className={css['waiting']}>
          <Spinner />
          <span className="visually-hidden">{texts.loadingPage(page)}</span>
        </span>
      )}
      {image.state === 'failed' && (
        <div className={css['failed']} role="alert">
          <p>{texts.pageFailed(page)}</p>
          <Button size="s" icon="arrow-clockwise" onClick={() => images.retry(page)}>
            {texts.tryAgain}
          </Button>
        </div>
      )}
    </li>
  );
});
