import { useEffect, useId, useRef } from 'react';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { t } from '#platform/language.ts';
import type { Attachment } from './attachments.ts';
import type { OfferedCategory } from './sending.queries.ts';
import type { Sending } from './sending.store.ts';
import { SummaryRow } from './SummaryRow.tsx';
import { mayRetry } from './may-retry.ts';
import { removeWithUndo } from './remove-with-undo.ts';
import css from './SummaryStep.module.css';

interface SummaryStepProps {
  readonly sending: Sending;
  readonly attachments: readonly Attachment[];
  readonly isStarted: boolean;
  readonly isRunning: boolean;
  readonly categories: readonly OfferedCategory[];
  readonly onClose: () => void;
}

/** The second step: what is to be sent, and how far it is (H2). */
export function SummaryStep({ sending, attachments, isStarted, isRunning, categories, onClose }: SummaryStepProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  // The button that led here is gone.
  useEffect(() => heading.current?.focus(), []);
  const sent = attachments.filter(({ state }) => state === 'SENT').length;
  const mayGoOn = attachments.some(
    ({ state, error }) => state === 'PENDING' || state === 'IN_PROGRESS' || (state === 'ERROR' && mayRetry(error)),
  );
  const isDone = !mayGoOn;
  const hasFailed = attachments.some(({ state, error }) => state === 'ERROR' && mayRetry(error));
  const label = isDone ? 'sending.close' : hasFailed || (isStarted && !isRunning) ? 'sending.sendAgain' : 'sending.send';
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
              onRetry={() => {
                heading.current?.focus();
                sending.retry(attachment.key);
              }}
              onReplace={(file) => {
                heading.current?.focus();
                sending.replace(attachment.key, file);
              }}
              onRemove={() => {
                heading.current?.focus();
                removeWithUndo(sending, attachment.key, attachment.file.name);
              }}
            />
          ))}
        </ul>
      </section>
      <WindowFoot status={<span className={css['status']}>{statusText({ sent, count: attachments.length, isStarted, hasFailed })}</span>}>
        {!isStarted && <Button onClick={sending.back}>{t('sending.back')}</Button>}
        <Button kind="primary" busy={isRunning} icon={isDone ? undefined : 'paper-plane-tilt'} onClick={isDone ? onClose : sending.start}>
          {t(label)}
        </Button>
      </WindowFoot>
    </>
  );
}

interface Standing {
  readonly sent: number;
  readonly count: number;
  readonly isStarted: boolean;
  readonly hasFailed: boolean;
}

const statusText = ({ sent, count, isStarted, hasFailed }: Standing): string => {
  if (!isStarted) return t('sending.count', { count });
  const done = t('sending.sentOf', { sent, total: count });
  return hasFailed ? `${done} ${t('sending.againOnlyMissing')}` : done;
};

const namesOf = ({ categoryId, typeId }: Attachment, categories: readonly OfferedCategory[]): string => {
  const category = categories.find(({ id }) => id === categoryId);
  const type = category?.types.find(({ id }) => id === typeId);
  return `${category?.label ?? categoryId} · ${type?.label ?? typeId}`;
};
