import type { DocumentDetails } from '@pergamin/contract';
import { useDesktop } from '#desktop/desktop.context.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { Badge } from '#kit/feedback/Badge.tsx';
import { StateBanner } from '#kit/feedback/StateBanner.tsx';
import { t } from '#platform/language.ts';
import css from './OtherVersions.module.css';

/** That a document is no longer in force, and the way to what took its place, in a window of its own (D19). */
export function DocumentState({ document: { state, successor } }: { readonly document: DocumentDetails }) {
  const desktop = useDesktop();
  return (
    <StateBanner
      state={state}
      onOpenNewVersion={successor === undefined ? undefined : () => void desktop.open('document', { id: successor })}
    />
  );
}

/** The way back from a new version to the one that it replaced; nothing where there is none. */
export function FormerVersion({ document: { predecessor } }: { readonly document: DocumentDetails }) {
  const desktop = useDesktop();
  if (predecessor === undefined) return null;
  return (
    <section className={css['former']}>
      <p>{t('viewer.replacesFormer')}</p>
      <Button size="s" icon="file-text" onClick={() => void desktop.open('document', { id: predecessor })}>
        {t('viewer.openFormerVersion')}
      </Button>
    </section>
  );
}

/** 'version 2' (F6); nothing where the organisation counts no versions. */
export function VersionLabel({ metadata }: Pick<DocumentDetails, 'metadata'>) {
  const version = String(metadata['2'] ?? '').trim();
  return version !== '' && <Badge>{t('viewer.version', { version })}</Badge>;
}
