import type { ReactNode } from 'react';
import { MarkdownText } from '#kit/MarkdownText.tsx';
import { t } from '#platform/language.ts';
import { versionHeading } from './changelog.rules.ts';
import css from './ChangelogText.module.css';

interface ChangelogTextProps {
  readonly text: string;
  readonly language: string | undefined;
}

/** What is new, version by version. */
export function ChangelogText({ text, language }: ChangelogTextProps) {
  return <MarkdownText text={text} language={language} firstLevel={3} headingOf={headingOf} className={css['changes']} />;
}

/** A version by its number is called one, with its day at the end of the line. */
const headingOf = (words: ReactNode): ReactNode => {
  const heading = typeof words === 'string' ? versionHeading(words) : undefined;
  if (heading === undefined) return words;
  return (
    <span className={css['version']}>
      <span>{t('whatsNew.version', { version: heading.version })}</span>
      {heading.day !== undefined && (
        <>
          {' '}
          <span className="num">{heading.day}</span>
        </>
      )}
    </span>
  );
};
