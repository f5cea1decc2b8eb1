import { useEffect, useEffectEvent } from 'react';

/** Ctrl+K (⌘K) opens the palette, `?` the shortcuts; not in text fields, and not on top of a dialog. */
export function useDeskKeys(onAction: ((id: string) => void) | undefined): void {
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (onAction === undefined || event.defaultPrevented || event.altKey || event.isComposing) return;
    const { target } = event;
    if (!(target instanceof Element) || target.closest(modal) !== null) return;
    const command = event.ctrlKey || event.metaKey;
    const id =
      command && !event.shiftKey && event.key.toLowerCase() === 'k' ? 'palette' : !command && event.key === '?' ? 'shortcuts' : undefined;
    if (id === undefined || (id === 'shortcuts' && target.closest(writing) !== null)) return;
    event.preventDefault();
    onAction(id);
  });
  useEffect(() => {
    addEventListener('keydown', handleKeyDown);
    return () => removeEventListener('keydown', handleKeyDown);
  }, []);
}

const modal = ':is([role="dialog"], [role="alertdialog"]):not([popover]), dialog, [role="menu"], [role="listbox"]';
const writing = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"])';
