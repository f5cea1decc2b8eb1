import { expect, type Locator, type Page } from '@playwright/test';

const maxSteps = 80;

/** A person without a mouse: keys only, and at every step the focus must be seen. */
export const createKeyboard = (page: Page) => {
  const press = (keys: string): Promise<void> => page.keyboard.press(keys);

  /** The focused element, what it draws before itself (the ring around its whole row) or what frames it is outlined; and on the screen. */
  const seesTheFocus = async (): Promise<void> => {
    const found = await page.evaluate(() => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) return { name: 'nothing', outlined: false, shown: false };
      const { top, bottom, left, right } = focused.getBoundingClientRect();
      const hasRing = (element: Element, part?: string): boolean => {
        const { outlineStyle, outlineWidth, content } = getComputedStyle(element, part);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && (part === undefined || content !== 'none');
      };
      const outlined = (element: Element | null): boolean =>
        element !== null && element !== document.body && (hasRing(element) || outlined(element.parentElement));
      return {
        name: focused.getAttribute('aria-label') ?? focused.textContent.trim().slice(0, 60),
        outlined: hasRing(focused, '::before') || outlined(focused),
        shown: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
      };
    });
    expect(found, `the focus on “${found.name}”`).toMatchObject({ outlined: true, shown: true });
  };

  return {
    press,
    seesTheFocus,
    type: (text: string): Promise<void> => page.keyboard.type(text),

    /** Presses Tab (or Shift+Tab) until this has the focus, and says through how many stops it went. */
    async tabsTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<number> {
      await expect(target).toBeVisible();
      for (let steps = 1; steps <= maxSteps; steps += 1) {
        await press(key);
        await seesTheFocus();
        if (await target.evaluate((element) => element === document.activeElement)) return steps;
      }
      throw new Error(`${maxSteps} times ${key} did not reach ${String(target)}`);
    },
  };
};
