import { type CSSProperties, memo, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { boxesOf, type Hit } from './find-text.ts';
import type { PageBox } from './page-layout.ts';
import type { Loaded } from './page-loader.ts';
import { sizeOf } from './page-source.ts';
import { hasWords } from './paragraphs.ts';
import type { FailedPage } from './render-poll.ts';
import css from './SheetPage.module.css';
import { boxStyle, TextLayer } from './TextLayer.tsx';
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
      {failure !== undefined && image.state !== 'shown' && <NotShown {...{ viewer, page, failure, image, onShowFile }} />}
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

interface NotShownProps extends Pick<SheetPageProps, 'viewer' | 'page' | 'onShowFile'> {
  readonly failure: FailedPage;
  readonly image: Loaded<string>;
}

/** On the sheet of a page that cannot be shown: why, and what can be done about it. */
function NotShown({ viewer, page, failure: { url }, image, onShowFile }: NotShownProps) {
  const isRetried = useViewerState(viewer, ({ retriedUrls }) => retriedUrls.has(page));
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (image.state === 'failed') announce(t('viewer.pageNotShown', { page }));
  }, [image.state, page]);
  // A focus that was in it stays with the pages when the page is shown after all.
  useLayoutEffect(
    () => () => {
      const element = place.current;
      if (element?.contains(document.activeElement)) element.closest<HTMLElement>('[data-surface]')?.focus();
    },
    [],
  );
  return (
    <div ref={place} className={css['not-shown']}>
      <Icon name="file-x-duotone" size="xl" />
      <p className={css['title']}>{t('viewer.pageNotShown', { page })}</p>
      <p className={css['lead']}>{t(url === undefined ? 'viewer.pageUnreadable' : 'viewer.pageTookLong')}</p>
      {(url !== undefined || onShowFile !== undefined) && (
        <div className={css['actions']}>
          {url !== undefined && (
            <Button size="s" icon="arrow-clockwise" busy={isRetried && image.state === 'waiting'} onClick={() => viewer.retryPage(page)}>
              {t('error.tryAgain')}
            </Button>
          )}
          {onShowFile && (
            <Button size="s" icon="file-pdf" onClick={onShowFile}>
              {t('viewer.showFile')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
