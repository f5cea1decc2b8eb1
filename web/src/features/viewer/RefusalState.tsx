import { useEffect } from 'react';
import { Badge } from '#kit/feedback/Badge.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { EmptyState } from '#kit/feedback/EmptyState.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import type { Busy } from '#kit/hooks/useBusy.ts';
import { sentencesOfCheck } from '#platform/check-words.ts';
import { sentenceOf } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import css from './RefusalState.module.css';
import { type Refusal, newsOfRefusal } from './opening.ts';

interface RefusalStateProps {
  readonly documentId: string;
  readonly refusal: Refusal;
  readonly onRetry: () => void;
  /** Offered when only the pages failed: the file itself is there. */
  readonly download?: Busy;
  /** Offered beside it: this browser may draw what could not be drawn elsewhere. */
  readonly onShowFile?: () => void;
}

/** In place of the pages: why they are not shown (F7, G8). */
export function RefusalState({ documentId, refusal, onRetry, download, onShowFile }: RefusalStateProps) {
  const news = newsOfRefusal(refusal);
  useEffect(() => {
    if (news !== undefined) emit(news, { documentId });
  }, [news, documentId]);
  switch (refusal.kind) {
    case 'notFound':
    case 'deleted':
      return <ErrorState icon="file-x-duotone" title={t(`viewer.${refusal.kind}`)} text={t('viewer.notFoundLead')} />;
    case 'forbidden':
      return <ErrorState title={t('viewer.forbidden')} />;
    case 'notVerified':
      return (
        <ErrorState
          title={t(`check.${refusal.status}`)}
          text={[...sentencesOfCheck(refusal.detail), t('viewer.nothingShown')].join(' ')}
          action={
            <Badge tone="bad" icon="x-circle-fill">
              {t('viewer.notVerified')}
            </Badge>
          }
        />
      );
    default:
      return (
        <ErrorState
          title={t('viewer.failed')}
          text={download === undefined ? sentenceOf(refusal.error) : t('viewer.failedLead')}
          action={
            <div className={css['actions']}>
              <Button icon="arrow-clockwise" onClick={onRetry}>
                {t('error.tryAgain')}
              </Button>
              {onShowFile && (
                <Button icon="file-pdf" onClick={onShowFile}>
                  {t('viewer.showFile')}
                </Button>
              )}
              {download && (
                <Button icon="download-simple" busy={download.busy} onClick={download.start}>
                  {t('viewer.download')}
                </Button>
              )}
            </div>
          }
        />
      );
  }
}

export function DownloadOnly({ download }: { readonly download: Busy }) {
  return (
    <EmptyState
      title={t('viewer.downloadOnly')}
      text={t('viewer.downloadOnlyLead')}
      action={
        <Button kind="primary" icon="download-simple" busy={download.busy} onClick={download.start}>
          {t('viewer.download')}
        </Button>
      }
    />
  );
}
