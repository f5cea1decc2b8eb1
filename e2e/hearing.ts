import { expect, type Page } from '@playwright/test';

/**
 * Keeps what the page's live regions say from now on, until it is loaded anew: another part of the page may say something right behind what a test
 * waits for. `hears` waits for a text that was said after the one before it.
 */
export const listen = async (page: Page): Promise<{ readonly hears: (text: string | RegExp) => Promise<void> }> => {
  const heard: string[] = [];
  await page.exposeFunction('hear', (text: string) => void heard.push(text));
  await page.evaluate(() => {
    const { hear } = window as unknown as { hear: (this: void, text: string) => Promise<void> };
    const told = new Map<Element, string>();
    const tell = (): void => {
      for (const region of document.querySelectorAll('[role="status"]')) {
        const text = region.textContent.trim();
        if (text !== '' && told.get(region) !== region.textContent) void hear(text);
        told.set(region, region.textContent);
      }
    };
    new MutationObserver(tell).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  let known = 0;
  return {
    async hears(text) {
      const find = (): number =>
        heard.findIndex((said, place) => place >= known && (typeof text === 'string' ? said.includes(text) : text.test(said)));
      await expect.poll(find, { message: `nothing says ${text} in: ${heard.join(' | ')}` }).toBeGreaterThanOrEqual(0);
      known = find() + 1;
    },
  };
};
