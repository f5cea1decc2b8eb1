import { Button } from '#kit/buttons/Button.tsx';
import { EmptyState } from '#kit/feedback/EmptyState.tsx';
import { t } from '#platform/language.ts';

interface NothingSentProps {
  /** Something narrows the list. */
  readonly isNarrowed: boolean;
  readonly onWiden: () => void;
  readonly onSend: () => void;
}

/** In place of rows: what can be done about there being none. */
export function NothingSent({ isNarrowed, onWiden, onSend }: NothingSentProps) {
  return (
    <EmptyState
      title={t('list.empty')}
      text={t(isNarrowed ? 'list.emptyLead' : 'sent.emptyLead')}
      action={
        isNarrowed ? (
          <Button kind="primary" onClick={onWiden}>
            {t('list.withoutFilters')}
          </Button>
        ) : (
          <Button icon="upload-simple" onClick={onSend}>
            {t('sending.send')}
          </Button>
        )
      }
    />
  );
}
