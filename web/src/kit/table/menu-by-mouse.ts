import type { MouseEvent } from 'react';

/** Opens the menu of an entry by a right click, through its button. A long press keeps the browser's own menu, which opens a link elsewhere; so do Shift and marked text. */
export const openMenuByMouse = (event: MouseEvent<HTMLElement>): void => {
  const isTouch = event.nativeEvent instanceof PointerEvent && event.nativeEvent.pointerType !== 'mouse';
  const button = event.currentTarget.querySelector<HTMLElement>('button[aria-haspopup]');
  if (button === null || isTouch || event.shiftKey || getSelection()?.isCollapsed === false) return;
  event.preventDefault();
  button.click();
};
