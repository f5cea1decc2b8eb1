import { useEffect, useLayoutEffect, useRef } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { t } from '#platform/language.ts';
import css from './FailedSheet.module.css';
import type { Loaded } from './page-loader.ts';
import type { FailedPage } from './render-poll.ts';
import { useViewerState, type Viewer } from './useViewer.ts';

interface FailedSheetProps {
  readonly viewer: Viewer;
  readonly page: number;
  readonly failure: FailedPage;
  readonly image: Loaded<string>;
  readonly onShowFile: (() => void) | undefined;
}

/** On the sheet of a page that cannot be shown: why, and what can be done about it. */
export function FailedSheet({ viewer, page, failure: { url }, image, onShowFile }: FailedSheetProps) {
  const isRetried = useViewerState(viewer, ({ retriedUrls }) => retriedUrls.has(page));
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (image.state === 'failed') announce(t('viewer.pageNotShown', { page }));
  }, [image.state, page]);
  // A focus that was in it stays with the pages when the page is shown after all.
  useLayoutEffect(
    () => () => {
      const element = sheet.current;
      if (element?.contains(document.activeElement)) element.closest<HTMLElement>('[data-surface]')?.focus();
    },
    [],
  );
  const hasActions = url !== undefined || onShowFile !== undefined;
  return (
    <div ref={sheet} className={css['sheet']}>
      <Icon name="file-x-duotone" size="xl" />
      <p className={css['title']}>{t('viewer.pageNotShown', { page })}</p>
      <p className={css['lead']}>{t(url === undefined ? 'viewer.pageUnreadable' : 'viewer.pageTookLong')}</p>
      {hasActions && (
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
