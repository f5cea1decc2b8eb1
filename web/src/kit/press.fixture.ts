import type { Locator } from 'vitest/browser';

/**
 * A press without a pointer, as a screen reader makes it: on the way to what a test shows. One of the mouse goes through three processes and
 * waits for two frames.
 */
export const press = async (locator: Locator): Promise<void> => {
  const element = await locator.findElement();
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true }));
};
