import { useRef, useState } from 'react';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { useFileDrop } from '#kit/hooks/useFileDrop.ts';
import { QuestionDialog } from '#kit/overlays/QuestionDialog.tsx';
import { t } from '#platform/language.ts';
import { sizeText } from '#platform/numbers.ts';
import { AttachmentFields } from './AttachmentFields.tsx';
import { type Attachment, differsFromOthers, hasTwin, isComplete } from './attachments.ts';
import { DropZone } from './DropZone.tsx';
import { type FileProblem, findProblem } from './file-check.ts';
import css from './FilesStep.module.css';
import type { Offer } from './sending.queries.ts';
import type { Sending } from './sending.store.ts';

interface FilesStepProps {
  readonly sending: Sending;
  readonly attachments: readonly Attachment[];
  readonly offer: Offer;
}

/** The first step: PDFs, and for each of them what it is (H1). */
export function FilesStep({ sending, attachments, offer }: FilesStepProps) {
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const adding = useAdding(sending, attachments);
  // Whose gaps have been pointed out.
  const [pointedOut, setPointedOut] = useState<ReadonlySet<string>>(new Set());
  const gaps = attachments.filter((attachment) => !isComplete(attachment));
  const full = fullReason(attachments.length, offer);
  const drop = useFileDrop((files) => void adding.add(files), full !== undefined);

  const pointOut = (): void => {
    if (gaps.length === 0) return;
    setPointedOut(new Set(gaps.map(({ key }) => key)));
    announce(t('sending.incomplete', { count: gaps.length }), 'assertive');
    const [first] = gaps;
    const nth = first?.categoryId === undefined ? 0 : 1;
    list.current?.querySelector(`[data-attachment="${first?.key}"]`)?.querySelectorAll<HTMLElement>('[data-pick] button')[nth]?.focus();
  };
  const applyToAll = (attachment: Attachment): void => {
    sending.applyToAll(attachment);
    announce(t('sending.sameForAllDone', { count: attachments.length }));
  };
  return (
    <>
      {/* Dropping is a short way for a pointer; the button does the same. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={css['content']} {...drop.zone}>
        <DropZone
          buttonRef={addButton}
          isOver={drop.isOver}
          problem={adding.problem}
          full={full}
          hint={offer.isShortOfDay && full === undefined ? t('sending.leftToday', { count: offer.mostFiles }) : undefined}
          onFiles={(files) => void adding.add(files)}
        />
        {attachments.length === 0 && <p className={css['lead']}>{t('sending.lead')}</p>}
        <ul ref={list} className={css['files']} aria-label={t('sending.files')}>
          {attachments.map((attachment) => (
            <AttachmentFields
              key={attachment.key}
              {...{ sending, attachment, addButton }}
              categories={offer.categories}
              isPointedOut={pointedOut.has(attachment.key)}
              onApplyToAll={differsFromOthers(attachment, attachments) ? () => applyToAll(attachment) : undefined}
            />
          ))}
        </ul>
      </div>
      <WindowFoot
        status={
          attachments.length > 0 && (
            <span className={css['status']}>
              {t('sending.count', { count: attachments.length })}
              {gaps.length > 0 && <strong>, {t('sending.incomplete', { count: gaps.length })}</strong>}
            </span>
          )
        }
      >
        <Button
          kind="primary"
          disabledReason={attachments.length === 0 ? t('sending.addFirst') : gaps.length > 0 ? t('sending.completeFirst') : undefined}
          // Pressed too early it leads to what is missing.
          onClickCapture={pointOut}
          onClick={sending.next}
        >
          {t('sending.next')}
        </Button>
      </WindowFoot>
      {adding.twin !== undefined && (
        <QuestionDialog title={t('sending.twinTitle')} no={t('sending.twinCancel')} yes={t('sending.twinAdd')} onAnswer={adding.answerTwin}>
          <p>{t('sending.twinQuestion', { name: adding.twin.name, size: sizeText(adding.twin.size) })}</p>
        </QuestionDialog>
      )}
    </>
  );
}

/** Why nothing more can be added. */
const fullReason = (count: number, { mostFiles, isShortOfDay }: Offer): string | undefined => {
  if (count < mostFiles) return undefined;
  return t(isShortOfDay ? 'sending.dayIsFull' : 'sending.mostFiles', { count: mostFiles });
};

export interface Refusal {
  readonly kind: FileProblem;
  readonly name: string;
}

/** What becomes of files that are handed in; a `twin` has the name and the size of one that is there, and is asked about first (H5). */
function useAdding(sending: Sending, attachments: readonly Attachment[]) {
  const [problem, setProblem] = useState<Refusal>();
  const [twin, setTwin] = useState<File>();
  const accept = (file: File): void => {
    sending.add(file);
    announce(t('sending.added', { name: file.name }));
  };
  const add = async (files: readonly File[]): Promise<void> => {
    const [file] = files;
    if (file === undefined) return;
    setProblem(undefined);
    const found = files.length > 1 ? 'several' : await findProblem(file);
    if (found !== undefined) setProblem({ kind: found, name: found === 'several' ? '' : file.name });
    else if (hasTwin(attachments, file)) setTwin(file);
    else accept(file);
  };
  const answerTwin = (wanted: boolean): void => {
    if (wanted && twin !== undefined) accept(twin);
    setTwin(undefined);
  };
  return { problem, twin, answerTwin, add };
}
