import { useEffect, useRef, useState } from 'react';
import { useWindowClosing } from '#desktop/desktop.context.ts';
import { QuestionDialog } from '#kit/overlays/QuestionDialog.tsx';
import { t } from '#platform/language.ts';
import { currentToken } from '#platform/session-token.ts';
import { askBeforeLeaving } from '#platform/unsent-work.ts';
import type { Sending } from './sending.store.ts';

/** Files that are not sent are asked about before they are lost: by closing, another language, a logout, or leaving the page (H8). */
export function LeaveQuestion({ sending }: { readonly sending: Sending }) {
  const [isAsked, setIsAsked] = useState(false);
  const question = useRef<PromiseWithResolvers<boolean>>(undefined);
  const agreed = useRef(false);
  const wouldLose = (): boolean => !agreed.current && sending.getState().attachments.some(({ state }) => state !== 'SENT');

  const ask = (): true | Promise<boolean> => {
    if (!wouldLose()) return true;
    setIsAsked(true);
    question.current ??= Promise.withResolvers();
    return question.current.promise;
  };
  const handleAnswer = (leave: boolean): void => {
    agreed.current = leave;
    // Nothing more goes out while the page is on its way.
    if (leave) sending.stop();
    setIsAsked(false);
    question.current?.resolve(leave);
    question.current = undefined;
  };
  useWindowClosing(ask);
  useEffect(() => askBeforeLeaving(ask));
  useEffect(() => {
    const handleLeaving = (event: BeforeUnloadEvent): void => {
      // When the session is over, nothing can be sent any more, and what is seen here has to go.
      if (wouldLose() && currentToken() !== undefined) event.preventDefault();
    };
    addEventListener('beforeunload', handleLeaving);
    return () => removeEventListener('beforeunload', handleLeaving);
  });
  if (!isAsked) return null;
  return (
    <QuestionDialog
      title={t('sending.leaveTitle')}
      no={t('sending.stay')}
      yes={t('sending.leave')}
      yesKind="danger"
      onAnswer={handleAnswer}
    >
      <p>{t('sending.leaveQuestion')}</p>
    </QuestionDialog>
  );
}
