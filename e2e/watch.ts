import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';
import { keepSecretsOf } from './secrets.ts';

export interface Watch {
  /** No accessibility violation (WCAG 2.2 A and AA) on what is shown now. */
  screenIsAccessible(name: string, options?: { readonly overlapping?: boolean }): Promise<void>;
  /**
   * Nothing was written to the console as an error, no exception was thrown, and the content security policy stopped nothing. `expected`: answers
   * that the journey provokes, and what the browser writes of them.
   */
  nothingWentWrong(expected?: RegExp): void;
}

/** Looks over the customer's shoulder for the whole journey. */
export const watch = async (page: Page): Promise<Watch> => {
  keepSecretsOf(page.context());
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      troubles.push(`answer ${response.status()}: ${response.request().method()} ${new URL(response.url()).pathname}`);
  });
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    if (request.url().includes('/api/open/csp-report')) troubles.push(`policy report: ${request.postData() ?? ''}`);
  });
  await page.addInitScript(() => {
    // Identity's pages have no script of their own; this one is the browser's.
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return {
    async screenIsAccessible(name, { overlapping = false } = {}) {
      // A dialog is on the page, and has the focus, a moment before it is seen.
      await page.waitForFunction(() =>
        [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].every(
          (dialog) => !dialog.checkVisibility() || dialog.checkVisibility({ opacityProperty: true }),
        ),
      );
      const found = await violationsOn(page, overlapping);
      expect(found, `accessibility of ${name}`).toEqual([]);
    },
    nothingWentWrong(expected) {
      expect(troubles.filter((trouble) => expected?.test(trouble) !== true)).toEqual([]);
    },
  };
};

const isGiven = `'axe' in window`;
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Each document is given axe, half a megabyte, once. */
const violationsOn = async (page: Page, overlapping: boolean): Promise<readonly string[]> => {
  if (!(await page.evaluate<boolean>(isGiven))) await page.evaluate(axe.source);
  const options: RunOptions = {
    runOnly: tags,
    // Of what passed, and of what cannot be decided, it would describe every element.
    resultTypes: ['violations'],
    // Of a button in a window behind, another window may cover all but a strip; a press on any part of its window raises it whole.
    rules: overlapping ? { 'target-size': { enabled: false } } : {},
  };
  const { violations } = await page.evaluate((how) => (window as unknown as { axe: typeof axe }).axe.run(document, how), options);
  return violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`);
};
