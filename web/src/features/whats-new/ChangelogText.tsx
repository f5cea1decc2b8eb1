import type { ReactNode } from 'react';
import { MarkdownText } from '#kit/text/MarkdownText.tsx';
import { t } from '#platform/language.ts';
import { versionHeading } from './changelog.rules.ts';
import css from './ChangelogText.module.css';

/** What is new, version by version. */
export function ChangelogText({ text, language }: { readonly text: string; readonly language: string | undefined }) {
  return <MarkdownText text={text} language={language} firstLevel={3} SectionHeading={VersionHeading} className={css['changes']} />;
}

/** A version by its number is called one, with its day at the end of the line. */
function VersionHeading({ children }: { readonly children?: ReactNode }) {
  const heading = typeof children === 'string' ? versionHeading(children) : undefined;
  if (heading === undefined) return <h3>{children}</h3>;
  return (
    <h3>
      <span className={css['version']}>
        <span>{t('whatsNew.version', { version: heading.version })}</span>
        {heading.day !== undefined && (
          <>
            {' '}
            <span className="num">{heading.day}</span>
          </>
        )}
      </span>
    </h3>
  );
}
