import type { Assets } from './assets.ts';
import { html, type Markup } from './html.ts';
import type { Languages } from './languages.ts';
import type { Language, Texts } from './texts.ts';

/** What every page needs to know. */
export interface PageContext {
  readonly language: Language;
  readonly languages: Languages;
  readonly texts: Texts;
  readonly assets: Assets;
  readonly organisationName: string;
  readonly https: boolean;
}

const languageLinks = (context: PageContext): Markup =>
  html` <nav class="languages" aria-label="${context.texts.selectLanguage}">
    ${context.languages.offered.map(
      ({ tag, name }) =>
        html`<a href="?lang=${tag}&amp;chosen" lang="${tag}" hreflang="${tag}" ${tag === context.language && html` aria-current="true"`}
          >${name}</a
        >`,
    )}
  </nav>`;

/** Header with the organisation and the languages, one card on the desk print, a line below. No style in the page, and no script but a file where one is named. */
export const layout = (
  context: PageContext,
  { title, main, hasLanguages, script }: { title: string; main: Markup; hasLanguages: boolean; script?: string },
): string => {
  const { assets, language, organisationName, texts } = context;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${organisationName}</title>
        <link rel="icon" type="image/svg+xml" href="${assets.favicon}" />
        <link rel="stylesheet" href="${assets.styles}" />
        ${script !== undefined && html`<script src="${script}" defer></script>`}
      </head>
      <body>
        <svg class="print" aria-hidden="true" focusable="false"><use href="${assets.deskPrint}#print"></use></svg>
        <header class="head">
          <div class="brand">
            <img src="${assets.logo}" alt="" width="36" height="36" />
            <div><strong>${texts.product}</strong><small>${organisationName}</small></div>
          </div>
          ${hasLanguages && languageLinks(context)}
        </header>
        <main>${main}</main>
        <footer class="foot">
          <p>${texts.afterwards}</p>
          <p>${texts.service}</p>
        </footer>
      </body>
    </html> `.markup;
};
