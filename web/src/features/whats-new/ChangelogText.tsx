import Markdown, { type Components } from 'react-markdown';

/** Headings stand below the window's own. Links leave the portal in a page of their own, and only where a link may lead. */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
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

const isSafe = (href: string): boolean => ['https:', 'http:', 'mailto:'].includes(URL.parse(href)?.protocol ?? '');

/** Markdown as elements of React: HTML in it is left out, and no picture is fetched from anywhere. */
export function ChangelogText({ text }: { readonly text: string }) {
  return (
    <Markdown components={components} skipHtml disallowedElements={['img']} unwrapDisallowed>
      {text}
    </Markdown>
  );
}
