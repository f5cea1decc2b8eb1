import type { ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { classes } from './classes.ts';
import css from './MarkdownText.module.css';

export interface MarkdownTextProps {
  /** Without the title of the whole, which is the title of what it stands in. */
  readonly text: string;
  /** Of the text, when it is known: the page may speak another one. */
  readonly language?: string | undefined;
  /** Of the sections' headings, below the title of what it stands in. */
  readonly firstLevel: 2 | 3;
  /** What stands in a section's heading instead of its words. */
  readonly headingOf?: (words: ReactNode) => ReactNode;
  readonly className?: string | undefined;
}

type Heading = 'h2' | 'h3' | 'h4' | 'h5' | 'h6';

/** Markdown as elements of React: HTML in it is left out, no picture is fetched from anywhere, and links lead only where `isSafe` says. */
export function MarkdownText({ text, language, firstLevel, headingOf, className }: MarkdownTextProps) {
  const Section: Heading = `h${firstLevel}`;
  const Part: Heading = firstLevel === 2 ? 'h3' : 'h4';
  const Smaller: Heading = firstLevel === 2 ? 'h4' : 'h5';
  const components: Components = {
    ...links,
    h1: ({ children }) => <Section>{headingOf?.(children) ?? children}</Section>,
    h2: ({ children }) => <Section>{headingOf?.(children) ?? children}</Section>,
    h3: ({ children }) => <Part>{children}</Part>,
    h4: ({ children }) => <Smaller>{children}</Smaller>,
  };
  return (
    <div className={classes(css['text'], className)} lang={language}>
      <Markdown components={components} urlTransform={(url) => url} skipHtml disallowedElements={['img']} unwrapDisallowed>
        {text}
      </Markdown>
    </div>
  );
}

/** They leave the portal in a page of their own, and only where a link may lead. */
const links: Components = {
  a: ({ href, children }) =>
    href !== undefined && isSafe(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
};

const isSafe = (href: string): boolean => ['https:', 'http:', 'mailto:', 'tel:'].includes(URL.parse(href)?.protocol ?? '');
