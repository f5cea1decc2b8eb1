import type { Page } from '@playwright/test';

/** What is wider than its box, apart from what ends in an ellipsis and says the whole elsewhere. */
export const cutOff = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, h1, h2, a, label, small, b')]
      .filter(
        (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest('.visually-hidden'),
      )
      .filter((element) => {
        const style = getComputedStyle(element);
        if (style.overflow === 'visible' || style.textOverflow === 'ellipsis') return false;
        return element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
      })
      .map((element) => `${element.tagName} ${element.textContent}`),
  );
/** By how much the page is wider than the screen. */
export const sidewaysPx = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Text of twice its size, as a browser's settings give it, until the page is loaded anew. */
export const doubleText = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { font-size: 200% !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });

/** Text spacing as a reader may set it (WCAG 1.4.12), until the page is loaded anew. */
export const spaceOutText = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
