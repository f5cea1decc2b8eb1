import { getChangelog } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CloseButton } from '#desktop/CloseButton.tsx';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { EmptyState } from '#kit/feedback/EmptyState.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { MarkdownText, withoutTitle } from '#kit/text/MarkdownText.tsx';
import { t } from '#platform/language.ts';
import { textQuery } from '#platform/call.queries.ts';
import css from './WhatsNewWindow.module.css';

/** The changelog, version by version (O1); a failure is no data, and says nothing more. */
export function WhatsNewWindow() {
  const { data, isPending } = useQuery({ ...textQuery(getChangelog), retry: false });
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
          <MarkdownText text={body} language={data?.language} firstLevel={3} SectionHeading={VersionHeading} className={css['changes']} />
        </div>
      )}
      <WindowFoot status={version !== undefined && <span className={css['newest']}>{t('whatsNew.version', { version })}</span>}>
        <CloseButton>{t('whatsNew.close')}</CloseButton>
      </WindowFoot>
    </>
  );
}

/** The number in the first heading that has one: changes are told newest first. */
const newestVersion = (markdown: string): string | undefined =>
  /^#{1,6}\s+\D*?(?<version>\d+\.\d+[\w.+-]*)/m.exec(markdown)?.groups?.['version'];

/** `1.4.0`, `v1.4.0 · 2026-11-16`, `[1.4.0] - 2026-11-16`: a version and its day. */
const versionAndDay = /^\[?v?(?<version>\d+(?:\.[\w+-]+)+)\]?(?:[\s·–—(-]+(?<day>\d{4}-\d{2}-\d{2})\)?)?$/;

/** A version by its number is called one, with its day at the end of the line. */
function VersionHeading({ children }: { readonly children?: ReactNode }) {
  const found = typeof children === 'string' ? versionAndDay.exec(children.trim())?.groups : undefined;
  const { version, day } = found ?? {};
  if (version === undefined) return <h3>{children}</h3>;
  return (
    <h3>
      <span className={css['version']}>
        <span>{t('whatsNew.version', { version })}</span>
        {day !== undefined && (
          <>
            {' '}
            <span className="num">{day}</span>
          </>
        )}
      </span>
    </h3>
  );
}
