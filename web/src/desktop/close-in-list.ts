/** Closes a window from its entry in a list by the keyboard: the focus goes to its neighbour's `data-closes`, after the last to `fallback`. */
export async function closeInList(entry: HTMLElement | null, close: () => Promise<boolean>, fallback: () => void): Promise<boolean> {
  const next = entry?.nextElementSibling ?? entry?.previousElementSibling;
  const closed = await close();
  if (!closed) return false;
  const button = next?.querySelector<HTMLElement>('[data-closes]');
  if (button) button.focus();
  else fallback();
  return true;
}
