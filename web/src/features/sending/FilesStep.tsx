import { type RefObject, useId, useRef, useState } from 'react';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { FileButton } from '#kit/buttons/FileButton.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Select } from '#kit/forms/Select.tsx';
import { focusNeighbour } from '#kit/hooks/focus-neighbour.ts';
import { useFileDrop } from '#kit/hooks/useFileDrop.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { QuestionDialog } from '#kit/overlays/QuestionDialog.tsx';
import { t } from '#platform/language.ts';
import { sizeText } from '#platform/numbers.ts';
import fieldsCss from './AttachmentFields.module.css';
import zoneCss from './DropZone.module.css';
import { type FileProblem, findProblem, problemSentences } from './file-check.ts';
import css from './FilesStep.module.css';
import type { Offer, OfferedCategory } from './sending.queries.ts';
import { type Attachment, isComplete, type Sending } from './sending.store.ts';

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
  const { problem } = adding;
  const hint =
    offer.isShortOf === undefined || full !== undefined ? undefined : t(leftSentences[offer.isShortOf], { count: offer.mostFiles });
  const noteId = useId();
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
        <div className={zoneCss['zone']}>
          <div className={zoneCss['box']} data-over={drop.isOver || undefined} data-full={full === undefined ? undefined : true}>
            <Icon name="file-pdf" size="xl" />
            <p className={zoneCss['words']}>
              <b>{full ?? t('sending.drop')}</b>
              <small>
                {t('sending.accepted')}
                {hint !== undefined && ` · ${hint}`}
              </small>
            </p>
            <FileButton
              ref={addButton}
              label={t('sending.addFile')}
              accept="application/pdf,.pdf"
              disabledReason={full}
              {...(problem === undefined ? {} : { 'aria-describedby': noteId })}
              onFiles={(files) => void adding.add(files)}
            />
          </div>
          {problem !== undefined && (
            <p id={noteId} className={zoneCss['problem']}>
              <Icon name="warning-circle-fill" size="s" />
              <span>{problem.sentence}</span>
              {problem.name !== undefined && <span className={zoneCss['name']}>{problem.name}</span>}
            </p>
          )}
        </div>
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

/** Whether it is complete, and another one has another category or type, or none yet. */
const differsFromOthers = (attachment: Attachment, all: readonly Attachment[]): boolean =>
  isComplete(attachment) && all.some(({ categoryId, typeId }) => categoryId !== attachment.categoryId || typeId !== attachment.typeId);

const leftSentences = { day: 'sending.leftToday', session: 'sending.leftInSession' } as const;

/** Why nothing more can be added. */
const fullReason = (count: number, { mostFiles, isShortOf }: Offer): string | undefined => {
  if (count < mostFiles) return undefined;
  if (isShortOf === 'day') return t('sending.dayIsFull');
  return mostFiles === 0 ? t('sending.sessionIsFull') : t('sending.mostFiles', { count: mostFiles });
};

interface AttachmentFieldsProps {
  readonly sending: Sending;
  readonly attachment: Attachment;
  readonly categories: readonly OfferedCategory[];
  /** What is missing is said at its place. */
  readonly isPointedOut: boolean;
  /** Takes the focus when the last file goes. */
  readonly addButton: RefObject<HTMLButtonElement | null>;
  /** Undefined where the others have the same already. */
  readonly onApplyToAll: (() => void) | undefined;
}

/** One file with its category, and the type that belongs to it. */
function AttachmentFields({ sending, attachment, categories, isPointedOut, addButton, onApplyToAll }: AttachmentFieldsProps) {
  const { key, file, categoryId, typeId } = attachment;
  const nameId = useId();
  const types = categories.find(({ id }) => id === categoryId)?.types ?? [];
  return (
    <li data-attachment={key}>
      <div className={fieldsCss['file']} role="group" aria-labelledby={nameId}>
        <p className={fieldsCss['head']}>
          <Icon name="file-text" />
          <b id={nameId} title={file.name}>
            {file.name}
          </b>
          <span className={fieldsCss['size']}>{sizeText(file.size)}</span>
          <IconButton
            icon="trash"
            name={t('sending.removeFile', { name: file.name })}
            data-remove=""
            onClick={({ currentTarget }) => {
              focusNeighbour(currentTarget, addButton.current);
              sending.remove(key);
            }}
          />
        </p>
        <div className={fieldsCss['picks']}>
          <div data-pick="">
            <Select
              label={t('sending.category')}
              placeholder={t('sending.choose')}
              options={categories}
              value={categoryId}
              error={isPointedOut && categoryId === undefined ? t('sending.selectCategory') : undefined}
              onChange={(id) => sending.chooseCategory(key, id)}
            />
          </div>
          <div data-pick="">
            <Select
              label={t('sending.type')}
              placeholder={t('sending.choose')}
              options={types}
              value={typeId}
              disabled={categoryId === undefined}
              error={isPointedOut && categoryId !== undefined && typeId === undefined ? t('sending.selectType') : undefined}
              onChange={(id) => sending.chooseType(key, id)}
            />
          </div>
        </div>
        {onApplyToAll !== undefined && (
          <Button size="s" kind="quiet" aria-describedby={nameId} onClick={onApplyToAll}>
            {t('sending.sameForAll')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Why nothing was added; of several files at once none is named. */
interface Refusal {
  readonly sentence: string;
  readonly name: string | undefined;
}

/** What becomes of files that are handed in; a `twin` has the name and the size of one that is there, and is asked about first (H5). */
function useAdding(sending: Sending, attachments: readonly Attachment[]) {
  const [problem, setProblem] = useState<Refusal>();
  const [twin, setTwin] = useState<File>();
  const accept = (file: File): void => {
    sending.add(file);
    announce(t('sending.added', { name: file.name }));
  };
  const refuse = (found: FileProblem, file: File): void => {
    const [sentence, name] = [t(problemSentences[found]), found === 'several' ? undefined : file.name];
    setProblem({ sentence, name });
    announce(name === undefined ? sentence : `${name}: ${sentence}`, 'assertive');
  };
  const add = async (files: readonly File[]): Promise<void> => {
    const [file] = files;
    if (file === undefined) return;
    setProblem(undefined);
    const found = files.length > 1 ? 'several' : await findProblem(file);
    if (found !== undefined) refuse(found, file);
    // Probably the same file once more.
    else if (attachments.some((other) => other.file.name === file.name && other.file.size === file.size)) setTwin(file);
    else accept(file);
  };
  const answerTwin = (wanted: boolean): void => {
    if (wanted && twin !== undefined) accept(twin);
    setTwin(undefined);
  };
  return { problem, twin, answerTwin, add };
}
