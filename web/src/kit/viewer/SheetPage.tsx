import { type CSSProperties, memo, type ReactNode, useSyncExternalStore } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import type { PageBox } from './page-layout.ts';
import type { PageImages } from './page-images.ts';
import type { PageSize } from './page-source.ts';
import { hasWords, type PageTexts } from './page-texts.ts';
import css from './Pages.module.css';
import { TextLayer } from './TextLayer.tsx';
import type { Rotation } from './zoom.ts';

export interface SheetTexts {
  readonly pageOf: (page: number) => string;
  readonly loadingPage: (page: number) => string;
  readonly pageFailed: (page: number) => string;
  readonly tryAgain: string;
}

interface SheetPageProps {
  readonly page: number;
  readonly count: number;
  readonly size: PageSize;
  readonly box: PageBox;
  readonly rotation: Rotation;
  readonly images: PageImages;
  readonly words: PageTexts;
  readonly texts: SheetTexts;
  /** Between the picture and the words: what was found. */
  readonly marks?: ReactNode;
  /** The image is on the screen: only then can a page have been read. */
  readonly onDrawn: (page: number, picture: HTMLImageElement) => void;
}

/** One sheet of paper. Its box has the page's shape before the image comes, so that nothing jumps. */
export const SheetPage = memo(function SheetPage(props: SheetPageProps) {
  const { page, count, size, box, rotation, images, words, texts, marks, onDrawn } = props;
  const image = useSyncExternalStore(images.subscribe, () => images.imageOf(page));
  const said = useSyncExternalStore(words.subscribe, () => words.textOf(page));
  // The paper itself is never turned: it lies across a box that is.
  const isAcross = rotation % 180 !== 0;
  const width = isAcross ? box.height : box.width;
  const paper: CSSProperties & Record<'--point', string> = {
    width,
    height: isAcross ? box.width : box.height,
    transform: `translate(-50%, -50%) rotate(${rotation}deg)`,
    '--point': `${width / size.width}px`,
  };
  const text = said.state === 'read' && hasWords(said.text) ? said.text : undefined;
  return (
    <li
      className={css['sheet']}
      data-page={page}
      aria-setsize={count}
      aria-posinset={page}
      style={{ top: box.top, left: `calc(50% - ${box.width / 2}px)`, width: box.width, height: box.height }}
    >
      <div className={css['paper']} role="group" aria-label={texts.pageOf(page)} style={paper}>
        {image.state === 'shown' && (
          <img
            src={image.url}
            alt={texts.pageOf(page)}
            draggable={false}
            decoding="async"
            onLoad={({ currentTarget }) => onDrawn(page, currentTarget)}
          />
        )}
        {marks}
        {text !== undefined && <TextLayer text={text} />}
      </div>
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
