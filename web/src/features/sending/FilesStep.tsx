import { useRef, useState } from 'react';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { useFileDrop } from '#kit/hooks/useFileDrop.ts';
import { t } from '#platform/language.ts';
import { AttachmentFields } from './AttachmentFields.tsx';
import { type Attachment, differsFromOthers, findTwin, isComplete } from './attachments.ts';
import { DropZone } from './DropZone.tsx';
import { type FileProblem, findProblem } from './file-check.ts';
import css from './FilesStep.module.css';
import { removeWithUndo } from './remove-with-undo.ts';
import type { Offer } from './sending.queries.ts';
import type { Sending } from './sending.store.ts';
import { TwinDialog } from './TwinDialog.tsx';

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
  const remove = ({ key, file }: Attachment): void => {
    const at = attachments.findIndex((attachment) => attachment.key === key);
    const neighbour = attachments[at + 1] ?? attachments[at - 1];
    removeWithUndo(sending, key, file.name);
    const button = neighbour && list.current?.querySelector<HTMLElement>(`[data-attachment="${neighbour.key}"] [data-remove]`);
    (button ?? addButton.current)?.focus();
  };
  const applyToAll = ({ key }: Attachment): void => {
    sending.applyToAll(key);
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
              attachment={attachment}
              categories={offer.categories}
              isPointedOut={pointedOut.has(attachment.key)}
              onCategory={(id) => sending.chooseCategory(attachment.key, id)}
              onType={(id) => sending.chooseType(attachment.key, id)}
              onRemove={() => remove(attachment)}
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
      {adding.twin !== undefined && <TwinDialog file={adding.twin} onAnswer={adding.answerTwin} />}
    </>
  );
}

/** Why nothing more can be added. */
const fullReason = (count: number, { mostFiles, isShortOfDay }: Offer): string | undefined => {
  if (count < mostFiles) return undefined;
  return t(isShortOfDay ? 'sending.dayIsFull' : 'sending.mostFiles', { count: mostFiles });
};

interface Adding {
  readonly problem: { readonly kind: FileProblem; readonly name: string } | undefined;
  /** Asked about: it has the name and the size of one that is there already. */
  readonly twin: File | undefined;
  readonly answerTwin: (add: boolean) => void;
  readonly add: (files: readonly File[]) => Promise<void>;
}

function useAdding(sending: Sending, attachments: readonly Attachment[]): Adding {
  const [problem, setProblem] = useState<Adding['problem']>();
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
    else if (findTwin(attachments, file) === undefined) accept(file);
    else setTwin(file);
  };
  return {
    problem,
    twin,
    answerTwin: (wanted) => {
      if (wanted && twin !== undefined) accept(twin);
      setTwin(undefined);
    },
    add,
  };
}
