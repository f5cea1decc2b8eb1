import type { ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { t } from '#platform/language.ts';
import { versionHeading } from './changelog.rules.ts';
import css from './ChangelogText.module.css';

/** Headings stand below the window's own. Links leave the portal in a page of their own, and only where a link may lead. */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{headingOf(children)}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) =>
    href !== undefined && isSafe(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
};

/** A version by its number is called one, with its day at the end of the line. */
const headingOf = (children: ReactNode): ReactNode => {
  const heading = typeof children === 'string' ? versionHeading(children) : undefined;
  if (heading === undefined) return children;
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

const isSafe = (href: string): boolean => ['https:', 'http:', 'mailto:'].includes(URL.parse(href)?.protocol ?? '');

/** Markdown as elements of React: HTML in it is left out, and no picture is fetched from anywhere. */
export function ChangelogText({ text }: { readonly text: string }) {
  return (
    <Markdown components={components} skipHtml disallowedElements={['img']} unwrapDisallowed>
      {text}
    </Markdown>
  );
}
