import { useEffect } from 'react';

/** F6 and Shift+F6 go around the regions of the page in their order: toolbar, tiles, windows, tab strip. */
export function useRegionKeys(): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      // A dialog, an open menu: the regions behind it cannot take the focus.
      if (document.querySelector(':modal')) return;
      const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
        (region) => !region.closest('[inert], [aria-hidden="true"]') && region.checkVisibility({ visibilityProperty: true }),
      );
      if (regions.length === 0) return;
      event.preventDefault();
      const at = regions.findIndex((region) => region.contains(document.activeElement));
      const step = event.shiftKey ? -1 : 1;
      const from = at === -1 && event.shiftKey ? 0 : at;
      for (let i = 1; i <= regions.length; i++) {
        const region = regions[(from + step * i + regions.length * i) % regions.length];
        const entry =
          region?.querySelector<HTMLElement>('[data-region-entry]') ??
          region?.querySelector<HTMLElement>('button, a[href], [tabindex="0"]');
        if (!entry) continue;
        entry.focus();
        return;
      }
    };
    addEventListener('keydown', handleKeyDown);
    return () => removeEventListener('keydown', handleKeyDown);
  }, []);
}
