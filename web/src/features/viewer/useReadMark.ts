import { markRead } from '@pergamin/contract';
import { useRef, useState } from 'react';
import { useWindow, useWindowClosing } from '#desktop/desktop.context.ts';
import { call } from '#platform/api.ts';
import { alertError, isNotFound } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';

interface ReadMarkOptions {
  readonly documentId: string;
  readonly isDue: boolean;
  readonly settle: () => Promise<void>;
}

/** When `isDue`, closing the window, in whichever way, marks the document as read once its pages are marked (decision 0034). */
export function useReadMark({ documentId, isDue, settle }: ReadMarkOptions) {
  const { close } = useWindow();
  const [busy, setBusy] = useState(false);
  const mayCloseUnread = useRef(false);

  const mark = async (): Promise<boolean> => {
    setBusy(true);
    try {
      await settle();
      await call(markRead, { params: { id: documentId } });
    } catch (error) {
      setBusy(false);
      if (isNotFound(error)) emit('alert', { tone: 'error', title: t('viewer.markFailed'), detail: t('viewer.notFound') });
      else alertError(error);
      // The failure is told once; a second press on the window's own button closes it.
      const stays = !mayCloseUnread.current;
      mayCloseUnread.current = true;
      return !stays;
    }
    emit('alert', { tone: 'success', title: t('viewer.markedRead') });
    emit('documentUpdated', { documentId });
    return true;
  };
  useWindowClosing(isDue ? mark : undefined);

  /** Closes the window by its own button. */
  const finish = (): void => {
    mayCloseUnread.current = false;
    void close();
  };
  return { busy, finish };
}
