import { useEffect, useRef, useState } from 'react';
import { useWindowClosing } from '#desktop/desktop.context.ts';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { currentToken } from '#platform/session-token.ts';
import { askBeforeLeaving } from '#platform/unsent-work.ts';
import { hasUnsent } from './attachments.ts';
import type { Sending } from './sending.store.ts';

/** Files that are not sent are asked about before they are lost: by closing, another language, a logout, or leaving the page (H8). */
export function useLeaveQuestion(sending: Sending) {
  const [isAsked, setIsAsked] = useState(false);
  const waiting = useRef<((leave: boolean) => void)[]>([]);
  const agreed = useRef(false);

  const ask = useLatest(async (): Promise<boolean> => {
    if (agreed.current || !hasUnsent(sending.getState().attachments)) return true;
    return new Promise((resolve) => {
      waiting.current.push(resolve);
      setIsAsked(true);
    });
  });
  const answer = useLatest((leave: boolean): void => {
    agreed.current = leave;
    // Nothing more goes out while the page is on its way.
    if (leave) sending.stop();
    setIsAsked(false);
    for (const resolve of waiting.current.splice(0)) resolve(leave);
  });
  useWindowClosing(ask);
  useEffect(() => askBeforeLeaving(ask), [ask]);
  useEffect(() => {
    const handleLeaving = (event: BeforeUnloadEvent): void => {
      // When the session is over, nothing can be sent any more, and what is seen here has to go.
      if (!agreed.current && currentToken() !== undefined && hasUnsent(sending.getState().attachments)) event.preventDefault();
    };
    addEventListener('beforeunload', handleLeaving);
    return () => removeEventListener('beforeunload', handleLeaving);
  }, [sending]);
  return { isAsked, answer };
}
