import { CloseButton } from '#desktop/CloseButton.tsx';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { EmptyState } from '#kit/feedback/EmptyState.tsx';
import { withoutTitle } from '#kit/text/markdown-title.ts';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { t } from '#platform/language.ts';
import { ChangelogText } from './ChangelogText.tsx';
import { useChangelog } from './changelog.queries.ts';
import { newestVersion } from './changelog.rules.ts';
import css from './WhatsNewWindow.module.css';

/** The changelog as formatted text (O1). */
export function WhatsNewWindow() {
  const { data, isPending } = useChangelog();
  useKeptFocus(!isPending);
  const body = withoutTitle(data?.text ?? '');
  const version = newestVersion(data?.text ?? '');
  return (
    <>
      {isPending ? (
        <div className={css['waiting']}>
          <ProgressLabel text={t('whatsNew.loading')} />
        </div>
      ) : body === '' ? (
        <EmptyState title={t('list.empty')} text={t('list.emptyLead')} />
      ) : (
        // Longer than its window: keys must be able to scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={css['text']} role="region" aria-label={t('whatsNew.text')} tabIndex={0}>
          <ChangelogText text={body} language={data?.language} />
        </div>
      )}
      <WindowFoot status={version !== undefined && <span className={css['version']}>{t('whatsNew.version', { version })}</span>}>
        <CloseButton>{t('whatsNew.close')}</CloseButton>
      </WindowFoot>
    </>
  );
}
