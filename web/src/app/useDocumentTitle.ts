import { useEffect, useSyncExternalStore } from 'react';
import type { Desktop } from '#desktop/desktop.store.ts';
import { focusedId } from '#desktop/windows.state.ts';
import { brand } from '#platform/brand.ts';
import { t } from '#platform/language.ts';

/** The browser's tab is named by the window in front (WCAG 2.4.2). */
export function useDocumentTitle(desktop: Desktop): void {
  const state = useSyncExternalStore(desktop.subscribe, desktop.getState);
  const front = state.windows.find((window) => window.id === focusedId(state));
  const title = front === undefined ? t('dashboard.title') : desktop.titleOf(front);
  useEffect(() => {
    document.title = `${title} · ${brand().name}`;
  }, [title]);
}
