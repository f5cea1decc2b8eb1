import { useId } from 'react';
import { Badge, type Tone } from '#kit/feedback/Badge.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { t } from '#platform/language.ts';
import type { Attachment } from './attachments.ts';
import { refusalSentence } from './refusal-sentence.ts';
import css from './SummaryRow.module.css';

interface SummaryRowProps {
  readonly attachment: Attachment;
  /** Category and type. */
  readonly names: string;
  readonly onRetry: () => void;
  readonly onRemove: () => void;
}

const tones: Readonly<Record<Attachment['state'], Tone>> = { PENDING: 'neutral', IN_PROGRESS: 'seal', SENT: 'ok', ERROR: 'bad' };

/** One file on its way: its state in words, how far it is, why it was not sent. */
export function SummaryRow({ attachment, names, onRetry, onRemove }: SummaryRowProps) {
  const { file, state, error } = attachment;
  const nameId = useId();
  return (
    <li className={css['row']}>
      <span className={css['state']} data-tone={tones[state]}>
        <StateSign state={state} />
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
          <Button size="s" icon="arrow-clockwise" aria-describedby={nameId} onClick={onRetry}>
            {t('sending.tryAgain')}
          </Button>
          <IconButton icon="trash" name={t('sending.removeFile', { name: file.name })} onClick={onRemove} />
        </span>
      ) : (
        <Badge tone={tones[state]}>{t(`sending.${state}`)}</Badge>
      )}
    </li>
  );
}

function StateSign({ state }: Pick<Attachment, 'state'>) {
  switch (state) {
    case 'PENDING':
      return <Icon name="clock" />;
    case 'IN_PROGRESS':
      return <Spinner />;
    case 'SENT':
      return <Icon name="check-bold" />;
    default:
      return <Icon name="warning-circle" />;
  }
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
