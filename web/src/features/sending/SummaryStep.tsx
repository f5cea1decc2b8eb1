import { useEffect, useId, useRef } from 'react';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { t } from '#platform/language.ts';
import type { Attachment } from './attachments.ts';
import type { OfferedCategory } from './sending.queries.ts';
import type { Sending, SendingState } from './sending.store.ts';
import { mayRetry } from './refusals.ts';
import { SummaryRow } from './SummaryRow.tsx';
import css from './SummaryStep.module.css';

interface SummaryStepProps extends Pick<SendingState, 'attachments' | 'isStarted' | 'isRunning'> {
  readonly sending: Sending;
  readonly categories: readonly OfferedCategory[];
  readonly onClose: () => void;
}

/** The second step: what is to be sent, and how far it is (H2). */
export function SummaryStep({ sending, attachments, isStarted, isRunning, categories, onClose }: SummaryStepProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  // The button that led here is gone.
  useEffect(() => heading.current?.focus(), []);
  const count = attachments.length;
  const sent = attachments.filter(({ state }) => state === 'SENT').length;
  const hasFailed = attachments.some(({ state, error }) => state === 'ERROR' && mayRetry(error));
  const isDone = !hasFailed && attachments.every(({ state }) => state === 'SENT' || state === 'ERROR');
  const label = isDone ? 'sending.close' : hasFailed || (isStarted && !isRunning) ? 'sending.sendAgain' : 'sending.send';
  const status = isStarted ? t('sending.sentOf', { sent, total: count }) : t('sending.count', { count });
  return (
    <>
      <section className={css['content']} aria-labelledby={headingId}>
        <h3 ref={heading} id={headingId} tabIndex={-1} className="visually-hidden">
          {t('sending.summary')}
        </h3>
        <ul className={css['rows']} aria-label={t('sending.files')}>
          {attachments.map((attachment) => (
            <SummaryRow
              key={attachment.key}
              attachment={attachment}
              names={namesOf(attachment, categories)}
              sending={sending}
              onLeave={() => heading.current?.focus()}
            />
          ))}
        </ul>
      </section>
      <WindowFoot
        status={<span className={css['status']}>{isStarted && hasFailed ? `${status} ${t('sending.againOnlyMissing')}` : status}</span>}
      >
        {!isStarted && <Button onClick={sending.back}>{t('sending.back')}</Button>}
        <Button kind="primary" busy={isRunning} icon={isDone ? undefined : 'paper-plane-tilt'} onClick={isDone ? onClose : sending.start}>
          {t(label)}
        </Button>
      </WindowFoot>
    </>
  );
}

const namesOf = ({ categoryId, typeId }: Attachment, categories: readonly OfferedCategory[]): string => {
  const category = categories.find(({ id }) => id === categoryId);
  const type = category?.types.find(({ id }) => id === typeId);
  return `${category?.label ?? categoryId} · ${type?.label ?? typeId}`;
};
