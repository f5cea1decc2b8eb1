import type { DocumentState } from '@pergamin/contract';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './StateBanner.module.css';

interface StateBannerProps {
  readonly state: DocumentState;
  /** Opens what took the document's place; left out where nothing did that the reader may see. */
  readonly onOpenNewVersion?: (() => void) | undefined;
}

/** What has become of a document that is no longer in force, and the way to its new version (D19). */
export function StateBanner({ state, onOpenNewVersion }: StateBannerProps) {
  if (state !== 'CANCELLED' && state !== 'OBSOLETE') return null;
  return (
    <div className={css['banner']}>
      <Icon name="warning-fill" />
      <p>{t(state === 'CANCELLED' ? 'viewer.cancelled' : 'viewer.obsolete')}</p>
      {onOpenNewVersion !== undefined && (
        <Button size="s" icon="file-text" onClick={onOpenNewVersion}>
          {t('viewer.openNewVersion')}
        </Button>
      )}
    </div>
  );
}
