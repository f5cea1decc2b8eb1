import { type CSSProperties, memo, useSyncExternalStore } from 'react';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { FailedSheet } from './FailedSheet.tsx';
import { boxesOf, type Hit } from './find-text.ts';
import type { PageBox } from './page-layout.ts';
import { sizeOf } from './page-source.ts';
import { hasWords } from './page-texts.ts';
import css from './SheetPage.module.css';
import { boxStyle } from './text-fit.ts';
import { TextLayer } from './TextLayer.tsx';
import { useViewerState, type Viewer } from './useViewer.ts';
import type { Rotation } from './zoom.ts';

interface SheetPageProps {
  readonly viewer: Viewer;
  readonly page: number;
  readonly box: PageBox;
  readonly rotation: Rotation;
  /** What was found on it, and which of that is shown. */
  readonly hits: readonly Hit[] | undefined;
  readonly chosen: Hit | undefined;
  readonly onShowFile: (() => void) | undefined;
}

/** One sheet of paper. Its box has the page's shape before the image comes, so that nothing jumps. */
export const SheetPage = memo(function SheetPage(props: SheetPageProps) {
  const { viewer, page, box, rotation, hits, chosen, onShowFile } = props;
  const { count, sizes, images, words } = viewer;
  const failure = useViewerState(viewer, ({ rendering }) => rendering.failed.get(page));
  const image = useSyncExternalStore(images.subscribe, () => images.pageOf(page));
  const said = useSyncExternalStore(words.subscribe, () => words.pageOf(page));
  // The paper itself is never turned: it lies across a box that is.
  const isAcross = rotation % 180 !== 0;
  const width = isAcross ? box.height : box.width;
  const paper: CSSProperties & Record<'--point', string> = {
    width,
    height: isAcross ? box.width : box.height,
    transform: `translate(-50%, -50%) rotate(${rotation}deg)`,
    '--point': `${width / sizeOf(sizes, page).width}px`,
  };
  const text = said.state === 'shown' && hasWords(said.value) ? said.value : undefined;
  return (
    <li
      className={css['sheet']}
      data-page={page}
      aria-setsize={count}
      aria-posinset={page}
      style={{ top: box.top, left: `calc(50% - ${box.width / 2}px)`, width: box.width, height: box.height }}
    >
      <div className={css['paper']} role="group" aria-label={t('viewer.pageOf', { page, total: count })} style={paper}>
        {image.state === 'shown' && (
          <img
            src={image.value}
            alt={t('viewer.pageOf', { page, total: count })}
            draggable={false}
            decoding="async"
            onLoad={({ currentTarget }) => viewer.drawn(page, currentTarget)}
          />
        )}
        {hits !== undefined && text !== undefined && (
          <div className={css['marks']} aria-hidden="true">
            {hits.flatMap((hit) =>
              boxesOf(hit, text).map((box) => (
                <i key={`${box.x} ${box.y}`} data-current={hit === chosen || undefined} style={boxStyle(box)} />
              )),
            )}
          </div>
        )}
        {text !== undefined && <TextLayer text={text} />}
      </div>
      {failure !== undefined && image.state !== 'shown' && <FailedSheet {...{ viewer, page, failure, image, onShowFile }} />}
      {failure === undefined && image.state === 'waiting' && (
        <span className={css['waiting']}>
          <Spinner />
          <span className="visually-hidden">{t('viewer.loadingPage', { page })}</span>
        </span>
      )}
      {failure === undefined && image.state === 'failed' && (
        <div className={css['failed']} role="alert">
          <p>{t('viewer.pageFailed', { page })}</p>
          <Button size="s" icon="arrow-clockwise" onClick={() => images.retry(page)}>
            {t('error.tryAgain')}
          </Button>
        </div>
      )}
    </li>
  );
});
