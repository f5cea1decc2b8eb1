import { useEffect } from 'react';
import type { Desktop } from '#desktop/desktop.store.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { keepDeepLink, takeDeepLink } from './kept-deep-link.ts';

/** Opens the window that an address asked for, as soon as windows may be opened (A11). */
export function useDeepLinks(desktop: Desktop, allowed: boolean): void {
  useEffect(() => {
    const follow = () => {
      keepDeepLink();
      if (!allowed) return;
      const link = takeDeepLink();
      if (link === undefined) return;
      if (link === 'unknown') emit('alert', { tone: 'info', title: t('windows.notFound') });
      else desktop.open(link.kind, link.id === undefined ? {} : { id: link.id.toLowerCase() });
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [desktop, allowed]);
}
