import { Button } from '#kit/buttons/Button.tsx';
import { EmptyState } from '#kit/feedback/EmptyState.tsx';
import css from '#lists/ListStates.module.css';
import { t } from '#platform/language.ts';

interface NothingSentProps {
  /** Something narrows the list. */
  readonly isNarrowed: boolean;
  readonly onWiden: () => void;
  readonly onSend: () => void;
  readonly onRefresh: () => void;
}

/** In place of rows: what can be done about there being none. */
export function NothingSent({ isNarrowed, onWiden, onSend, onRefresh }: NothingSentProps) {
  return (
    <EmptyState
      title={t('list.empty')}
      text={t(isNarrowed ? 'list.emptyLead' : 'sent.emptyLead')}
      action={
        <span className={css['ways']}>
          {isNarrowed ? (
            <Button kind="primary" onClick={onWiden}>
              {t('list.withoutFilters')}
            </Button>
          ) : (
            <Button icon="upload-simple" onClick={onSend}>
              {t('sending.send')}
            </Button>
          )}
          <Button icon="arrow-clockwise" onClick={onRefresh}>
            {t('list.refresh')}
          </Button>
        </span>
      }
    />
  );
}
