import { useBusy } from '#kit/hooks/useBusy.ts';
import { alertError } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { type FileToShow, openFileWindow } from '#platform/file-window.ts';
import { t } from '#platform/language.ts';
import type { ViewerAction } from './ViewerBar.tsx';

/** The action that shows the document's very file in a window of the browser (F8); it says when the browser does not let it. */
export function useFileWindow(file: FileToShow, onFailure: (error: unknown) => void = alertError): ViewerAction {
  const { busy, start } = useBusy(async () => {
    try {
      const done = await openFileWindow(file);
      if (done === 'blocked') emit('alert', { tone: 'warning', title: t('viewer.windowBlocked'), detail: t('viewer.windowBlockedLead') });
    } catch (error) {
      onFailure(error);
    }
  });
  return {
    id: 'window',
    icon: 'arrow-square-out',
    name: t('viewer.openInWindow'),
    disabledReason: busy ? t('viewer.opening') : undefined,
    onClick: start,
  };
}
