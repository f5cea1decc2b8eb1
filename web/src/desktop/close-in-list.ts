/**
 * Closes a window from its entry in a list of windows by the keyboard: the focus goes on to the next entry's way of closing, else to the one
 * before. Answers whether it was closed; `fallback` takes the focus when it was the last one.
 */
export async function closeInList(entry: HTMLElement | null, close: () => Promise<boolean>, fallback: () => void): Promise<boolean> {
  const next = entry?.nextElementSibling ?? entry?.previousElementSibling;
  const closed = await close();
  if (!closed) return false;
  const button = next?.querySelector<HTMLElement>('[data-closes]');
  if (button) button.focus();
  else fallback();
  return true;
}
