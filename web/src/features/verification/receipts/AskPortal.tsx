import { checkChecksum } from '@pergamin/contract';
import type { Statement } from '@pergamin/ledger';
import { useState } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { announce } from '#kit/feedback/Announcer.tsx';
import { useBusy } from '#kit/hooks/useBusy.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { call } from '#platform/api.ts';
import { momentText } from '#platform/dates.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { currentToken } from '#platform/session-token.ts';
import { headlineOf } from '#features/verification/verdict.ts';
import type { Finding } from '#features/verification/verification.store.ts';
import css from './AskPortal.module.css';

interface Answer {
  readonly tone: 'ok' | 'warn' | 'bad' | 'note';
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

const icons = { ok: 'check-circle-fill', warn: 'warning-fill', bad: 'x-circle-fill', note: 'info-fill' } as const;

/** What became of a published document since: a receipt cannot know. Nothing is sent before the button is pressed, and then the checksum alone. */
export function AskPortal({ statement }: { readonly statement: Statement }) {
  const [answer, setAnswer] = useState<Answer>();
  const { busy, start } = useBusy(async () => {
    const said = await ask(statement);
    setAnswer({ ...said, at: Date.now() });
    announce(said.text, said.tone === 'ok' ? 'polite' : 'assertive');
  });
  return (
    <div className={css['ask']}>
      <Button icon="question" busy={busy} onClick={start}>
        {t('receipt.ask')}
      </Button>
      {answer !== undefined && (
        <p className={css['answer']} data-tone={answer.tone}>
          <Icon name={icons[answer.tone]} />
          <span>
            {answer.text} <small className="num">{t('receipt.answer.at', { date: momentText(answer.at) })}</small>
          </span>
        </p>
      )}
    </div>
  );
}

const ask = (statement: Statement): Promise<Omit<Answer, 'at'>> =>
  call(checkChecksum, { body: { sha256: statement.sha256 } }).then(
    (finding) => answerOf(finding, statement),
    (error: unknown) => ({ tone: 'note', text: t('receipt.answer.failed', { reason: sentenceOf(error) }) }),
  );

/** The portal answers for the newest document of this checksum, which may be another one than the receipt's. */
const answerOf = ({ status, document }: Finding, { documentId }: Statement): Omit<Answer, 'at'> => {
  if (status === 'DOCUMENT_NOT_EXIST')
    return { tone: 'note', text: t(currentToken() === undefined ? 'receipt.answer.nonePublic' : 'receipt.answer.none') };
  if (status !== 'SHA_CIF_OK' || document === null) return { tone: 'bad', text: `${headlineOf(status)}.` };
  if (document.id !== documentId) return { tone: 'note', text: t('receipt.answer.newer') };
  return document.state === 'ACTIVE'
    ? { tone: 'ok', text: t('receipt.answer.active') }
    : { tone: 'warn', text: t('receipt.answer.notActive', { state: t(`state.${document.state}`) }) };
};
