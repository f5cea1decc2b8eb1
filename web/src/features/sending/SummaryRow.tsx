import { useEffect, useId, useRef } from 'react';
import { Badge, type Tone } from '#kit/feedback/Badge.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { FileButton } from '#kit/buttons/FileButton.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import type { Attachment } from './attachments.ts';
import { findProblem, problemSentences } from './file-check.ts';
import { mayRetry, refusalSentence } from './refusals.ts';
import type { Sending } from './sending.store.ts';
import css from './SummaryRow.module.css';

interface SummaryRowProps {
  readonly attachment: Attachment;
  /** Category and type. */
  readonly names: string;
  readonly sending: Sending;
  /** Takes the focus, before the button that has it goes. */
  readonly onLeave: () => void;
}

const tones: Readonly<Record<Attachment['state'], Tone>> = { PENDING: 'neutral', IN_PROGRESS: 'seal', SENT: 'ok', ERROR: 'bad' };

const signs = { PENDING: 'clock', SENT: 'check-bold', ERROR: 'warning-circle' } as const;

/** One file on its way: its state in words, how far it is, why it was not sent. */
export function SummaryRow({ attachment, names, sending, onLeave }: SummaryRowProps) {
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
    <li ref={row} className={css['row']}>
      <span className={css['state']} data-tone={tones[state]}>
        {state === 'IN_PROGRESS' ? <Spinner /> : <Icon name={signs[state]} />}
      </span>
      <div className={css['words']}>
        <b id={nameId} title={file.name}>
          {file.name}
        </b>
        {state === 'IN_PROGRESS' ? (
          <Progress attachment={attachment} labelledBy={nameId} />
        ) : state === 'ERROR' ? (
          <small className={css['reason']}>
            {t('sending.ERROR')}: {refusalSentence(error)}
          </small>
        ) : (
          <small>{names}</small>
        )}
      </div>
      {state === 'ERROR' ? (
        <span className={css['ways']}>
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
    <span className={css['progress']}>
      <span
        className={css['bar']}
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
