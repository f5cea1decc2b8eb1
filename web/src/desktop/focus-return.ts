interface Opener {
  readonly element: HTMLElement;
  /** Its `data-opener`: the same thing drawn anew (a card of the desk that has become a tile) has the same one. */
  readonly mark: string | undefined;
  readonly windowId: string | undefined;
}

export type FocusReturn = ReturnType<typeof createFocusReturn>;

/** Remembers what opened each window, and gives the focus back to it. */
export function createFocusReturn(focusWindow: (id: string) => boolean) {
  const openers = new Map<string, Opener>();
  return {
    remember: (id: string, element: Element | null) => {
      if (!(element instanceof HTMLElement) || element === document.body) return;
      const windowId = element.closest<HTMLElement>('[data-window]')?.dataset['window'];
      if (windowId === id) return;
      openers.set(id, { element, mark: element.closest<HTMLElement>('[data-opener]')?.dataset['opener'], windowId });
    },
    /** To the opener, to what stands in its place now, or to the window it stood in. */
    give: (id: string) => {
      const opener = openers.get(id);
      openers.delete(id);
      if (opener && takesFocus(opener.element)) return;
      if (opener?.mark !== undefined && takesFocus(document.querySelector(`[data-opener="${CSS.escape(opener.mark)}"]`))) return;
      if (opener?.windowId !== undefined && focusWindow(opener.windowId)) return;
      focusDesk();
    },
    drop: (id: string) => openers.delete(id),
  };
}

/** Closes a window from its entry in a list by the keyboard: the focus goes to its neighbour's `data-closes`, after the last to `fallback`. */
export async function closeInList(entry: HTMLElement | null, close: () => Promise<boolean>, fallback: () => void): Promise<boolean> {
  const next = entry?.nextElementSibling ?? entry?.previousElementSibling;
  if (!(await close())) return false;
  const button = next?.querySelector<HTMLElement>('[data-closes]');
  if (button) button.focus();
  else fallback();
  return true;
}

/** The window in front has the focus already, unless there is none: then the desk's first tile takes it. */
export function focusDesk(): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return;
  if (!takesFocus(document.querySelector('[data-window][data-focused] h2'))) focusTile();
}

export function focusTile(): boolean {
  return takesFocus(document.querySelector('[data-desk-start]'));
}

function takesFocus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement) || !element.isConnected || element.closest('[inert]')) return false;
  if (!element.checkVisibility({ visibilityProperty: true })) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}
