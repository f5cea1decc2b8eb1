import { useEffect, useId, useRef } from 'react';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { FileButton } from '#kit/buttons/FileButton.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Badge, type Tone } from '#kit/feedback/Badge.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { findProblem, problemSentences } from './file-check.ts';
import { mayRetry, refusalSentence } from './refusals.ts';
import type { OfferedCategory } from './sending.queries.ts';
import type { Attachment, Sending, SendingState } from './sending.store.ts';
import rowCss from './SummaryRow.module.css';
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

interface SummaryRowProps {
  readonly attachment: Attachment;
  readonly names: string;
  readonly sending: Sending;
  /** Takes the focus, before the button that has it goes. */
  readonly onLeave: () => void;
}

const tones: Readonly<Record<Attachment['state'], Tone>> = { PENDING: 'neutral', IN_PROGRESS: 'seal', SENT: 'ok', ERROR: 'bad' };

const signs = { PENDING: 'clock', SENT: 'check-bold', ERROR: 'warning-circle' } as const;

/** One file on its way: its state in words, how far it is, why it was not sent. */
function SummaryRow({ attachment, names, sending, onLeave }: SummaryRowProps) {
  const { key, file, state, error } = attachment;
  const nameId = useId();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (state === 'IN_PROGRESS') row.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  const leaveFor = (act: () => void): void => {
    onLeave();
    act();
  };
  return (
    <li ref={row} className={rowCss['row']}>
      <span className={rowCss['state']} data-tone={tones[state]}>
        {state === 'IN_PROGRESS' ? <Spinner /> : <Icon name={signs[state]} />}
      </span>
      <div className={rowCss['words']}>
        <b id={nameId} title={file.name}>
          {file.name}
        </b>
        {state === 'IN_PROGRESS' ? (
          <Progress attachment={attachment} labelledBy={nameId} />
        ) : state === 'ERROR' ? (
          <small className={rowCss['reason']}>
            {t('sending.ERROR')}: {refusalSentence(error)}
          </small>
        ) : (
          <small>{names}</small>
        )}
      </div>
      {state === 'ERROR' ? (
        <span className={rowCss['ways']}>
          {mayRetry(error) ? (
            <Button size="s" icon="arrow-clockwise" aria-describedby={nameId} onClick={() => leaveFor(() => sending.retry(key))}>
              {t('sending.tryAgain')}
            </Button>
          ) : (
            <ReplaceButton nameId={nameId} onReplace={(other) => leaveFor(() => sending.replace(key, other))} />
          )}
          <IconButton
            icon="trash"
            name={t('sending.removeFile', { name: file.name })}
            onClick={() => leaveFor(() => sending.remove(key))}
          />
        </span>
      ) : (
        <Badge tone={tones[state]}>{t(`sending.${state}`)}</Badge>
      )}
    </li>
  );
}

/** Another file in the place of one that will never be accepted. */
function ReplaceButton({ nameId, onReplace }: { readonly nameId: string; readonly onReplace: (file: File) => void }) {
  const choose = async (file: File): Promise<void> => {
    const problem = await findProblem(file);
    if (problem === undefined) onReplace(file);
    else emit('alert', { tone: 'error', title: t(problemSentences[problem]), detail: file.name });
  };
  return (
    <FileButton
      label={t('sending.replaceFile')}
      accept="application/pdf,.pdf"
      size="s"
      icon="file-pdf"
      aria-describedby={nameId}
      onFiles={([file]) => file !== undefined && void choose(file)}
    />
  );
}

const allPercent = 100;

/** The bytes on their way; once all of them are, the portal looks into the file. */
function Progress({ attachment: { part }, labelledBy }: { readonly attachment: Attachment; readonly labelledBy: string }) {
  const percent = Math.floor(part * allPercent);
  const text = percent === allPercent ? t('sending.checking') : t('viewer.percent', { percent });
  return (
    <span className={rowCss['progress']}>
      <span
        className={rowCss['bar']}
        role="progressbar"
        aria-labelledby={labelledBy}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={allPercent}
        aria-valuetext={text}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
      <small aria-hidden="true">{text}</small>
    </span>
  );
}
