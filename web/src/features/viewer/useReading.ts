import { type DocumentDetails, markPage, markRead } from '@pergamin/contract';
import { useRef, useState } from 'react';
import { useWindow, useWindowClosing } from '#desktop/desktop.context.ts';
import { pageMark } from '#kit/viewer/page-marks.ts';
import { useViewer, useViewerState } from '#kit/viewer/useViewer.ts';
import { isFinished, type ViewerOptions } from '#kit/viewer/viewer.state.ts';
import { call, CallError } from '#platform/api.ts';
import { alertError, isNotFound, pagesMissingIn } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';

/**
 * Marks pages as they are reached. Once all of them were, closing the window, in whichever way, marks the document as read (decision 0034). `isGone`: the
 * document is not the reader's any more.
 */
export function useReading(document: DocumentDetails, options: Pick<ViewerOptions, 'source' | 'startPage' | 'wordsSearched'>) {
  const { id, pageCount, pageSizes, pagesReached, read } = document;
  const [isGone, setGone] = useState(false);
  /** A document that was taken away while it is open is told of by the first answer that says so. */
  const asked = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof CallError && error.code === 'DOCUMENT_NOT_FOUND_ERROR') setGone(true);
      throw error;
    }
  };
  const { poll, load, text, embedded } = options.source;
  const viewer = useViewer({
    ...options,
    source: {
      embedded,
      poll: (request, signal) => asked(poll(request, signal)),
      load: (url, signal) => asked(load(url, signal)),
      ...(text === undefined ? {} : { text: (page, signal) => asked(text(page, signal)) }),
    },
    count: pageCount,
    sizes: pageSizes,
    reachedBefore: pagesReached,
    mark: (page, isShown) => asked(call(markPage, pageMark(id, page, isShown))),
  });
  const isDone = useViewerState(viewer, (state) => isFinished(state, pageCount));
  const { close } = useWindow();
  const [busy, setBusy] = useState(false);
  const mayCloseUnread = useRef(false);

  const mark = async (): Promise<boolean> => {
    setBusy(true);
    try {
      await viewer.settle();
      await asked(call(markRead, { params: { id } }));
    } catch (error) {
      setBusy(false);
      // The server has not all pages, so the document stays unread in the lists.
      if (pagesMissingIn(error) !== undefined) return true;
      if (isNotFound(error)) emit('alert', { tone: 'error', title: t('viewer.markFailed'), detail: t('viewer.notFound') });
      else alertError(error);
      // The failure is told once; a second press on the window's own button closes it.
      const stays = !mayCloseUnread.current;
      mayCloseUnread.current = true;
      return !stays;
    }
    emit('alert', { tone: 'success', title: t('viewer.markedRead') });
    emit('documentUpdated', { documentId: id });
    return true;
  };
  useWindowClosing(read === null && isDone && !isGone ? mark : undefined);

  /** Closes the window by its own button. */
  const finish = (): void => {
    mayCloseUnread.current = false;
    void close();
  };
  return { viewer, busy, finish, isGone };
}
