import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useWindow, useWindowClosing } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { EmptyState } from '#kit/feedback/EmptyState.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { usePreventFileDrops } from '#kit/hooks/usePreventFileDrops.ts';
import { QuestionDialog } from '#kit/overlays/QuestionDialog.tsx';
import { sentenceOf } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { currentToken } from '#platform/session-token.ts';
import { askBeforeLeaving } from '#platform/unsent-work.ts';
import { FilesStep } from './FilesStep.tsx';
import { refusalSentence } from './refusals.ts';
import { sendAttachment, useOffer } from './sending.queries.ts';
import { type Attachment, createSending, type Sending, type SendingState } from './sending.store.ts';
import css from './SendingWindow.module.css';
import stepsCss from './Steps.module.css';
import { SummaryStep } from './SummaryStep.tsx';

/** Sending documents to the organisation: files with their categories and types, then a summary that sends them one after another (H). */
export function SendingWindow() {
  const { close } = useWindow();
  const offer = useOffer();
  const [sending] = useState(() => createSending({ send: sendAttachment, onSettled: tellSettled, onRest: tellRest }));
  const state = useSyncExternalStore(sending.subscribe, sending.getState);
  usePreventFileDrops();
  useKeptFocus(offer.state !== 'loading');
  useEffect(() => sending.stop, [sending]);

  // A sending that was begun goes on even when the lists fail.
  if (state.attachments.length === 0 && (offer.state !== 'ready' || offer.categories.length === 0))
    return (
      <div className={css['instead']}>
        {offer.state === 'loading' && <ProgressLabel text={t('list.loading')} />}
        {offer.state === 'failed' && <ErrorState title={t('sending.failed')} text={sentenceOf(offer.error)} onRetry={offer.retry} />}
        {offer.state === 'ready' && <EmptyState title={t('sending.nothingOffered')} text={t('sending.nothingOfferedLead')} />}
      </div>
    );
  return (
    <>
      <Steps current={state.step} />
      {state.step === 'files' ? (
        <FilesStep sending={sending} attachments={state.attachments} offer={offer} />
      ) : (
        <SummaryStep {...state} sending={sending} categories={offer.categories} onClose={() => void close()} />
      )}
      <LeaveQuestion sending={sending} />
    </>
  );
}

const steps = [
  { id: 'files', label: 'sending.filesStep' },
  { id: 'summary', label: 'sending.summary' },
] as const;

function Steps({ current }: { readonly current: SendingState['step'] }) {
  const at = steps.findIndex(({ id }) => id === current);
  return (
    <ol className={stepsCss['steps']} aria-label={t('sending.steps')}>
      {steps.map(({ id, label }, i) => (
        <li key={id} aria-current={i === at ? 'step' : undefined} data-done={i < at || undefined}>
          <i aria-hidden="true">{i < at ? <Icon name="check-bold" size="xs" /> : i + 1}</i>
          {t(label)}
          {i < at && <span className="visually-hidden"> {t('sending.stepDone')}</span>}
        </li>
      ))}
    </ol>
  );
}

/** Files that are not sent are asked about before they are lost: by closing, another language, a logout, or leaving the page (H8). */
function LeaveQuestion({ sending }: { readonly sending: Sending }) {
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

const tellSettled = ({ file, state, error }: Attachment): void => {
  if (state === 'SENT') {
    announce(t('sending.sentFile', { name: file.name }));
    emit('documentSent', undefined);
  } else announce(t('sending.failedFile', { name: file.name, reason: refusalSentence(error) }), 'assertive');
};

const tellRest = (attachments: readonly Attachment[]): void => {
  const sent = attachments.filter(({ state }) => state === 'SENT').length;
  if (sent === attachments.length) announce(t('sending.allSent', { count: sent }));
};
