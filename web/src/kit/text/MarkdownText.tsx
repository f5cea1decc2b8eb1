import type { ComponentType, ReactNode } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { classes } from '#kit/styles/classes.ts';
import css from './MarkdownText.module.css';

export interface MarkdownTextProps {
  /** Without the title of the whole, which is the title of what it stands in. */
  readonly text: string;
  /** Of the text, when it is known: the page may speak another one. */
  readonly language?: string | undefined;
  /** Of the sections' headings, below the title of what it stands in. */
  readonly firstLevel: 2 | 3;
  /** The heading of a section, of that level. */
  readonly SectionHeading?: ComponentType<{ readonly children?: ReactNode }>;
  readonly className?: string | undefined;
}

/** Markdown as elements of React: HTML in it is left out, no picture is fetched from anywhere, and links lead only where `isSafe` says. */
export function MarkdownText({ text, language, firstLevel, SectionHeading, className }: MarkdownTextProps) {
  const components: Components = SectionHeading === undefined ? links : { ...links, [`h${firstLevel}`]: SectionHeading };
  return (
    <div className={classes(css['text'], className)} lang={language}>
      <Markdown
        components={components}
        rehypePlugins={[[lowered, firstLevel]]}
        urlTransform={(url) => url}
        skipHtml
        disallowedElements={['img']}
        unwrapDisallowed
      >
        {text}
      </Markdown>
    </div>
  );
}

/** A text without the title of the whole, which is the title of the page or window that it stands in. */
export const withoutTitle = (markdown: string): string => markdown.replace(/^\s*#[ \t][^\n]*(?:\n|$)/, '').trim();

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

interface Piece {
  readonly type: string;
  tagName?: string;
  readonly children?: readonly Piece[];
}

/** Of the text's own levels the first two are sections; what stands below them keeps its distance. */
const lower = (piece: Piece, firstLevel: number): void => {
  const [, level] = /^h([1-6])$/.exec(piece.tagName ?? '') ?? [];
  if (level !== undefined) piece.tagName = `h${Math.min(6, firstLevel + Math.max(0, Number(level) - 2))}`;
  for (const child of piece.children ?? []) lower(child, firstLevel);
};
const lowered = (firstLevel: 2 | 3) => (tree: Piece) => lower(tree, firstLevel);
