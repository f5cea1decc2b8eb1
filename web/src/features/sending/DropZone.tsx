import { type Ref, useEffect, useId } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { FileButton } from '#kit/buttons/FileButton.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { t } from '#platform/language.ts';
import css from './DropZone.module.css';
import { problemSentences } from './file-check.ts';
import type { Refusal } from './FilesStep.tsx';

interface DropZoneProps {
  readonly buttonRef: Ref<HTMLButtonElement>;
  /** A file is held above the window. */
  readonly isOver: boolean;
  readonly problem: Refusal | undefined;
  /** Why nothing more can be added. */
  readonly full: string | undefined;
  readonly hint: string | undefined;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Where a file is dropped, or chosen from a list. */
export function DropZone({ buttonRef, isOver, problem, full, hint, onFiles }: DropZoneProps) {
  const noteId = useId();
  useEffect(() => {
    if (problem !== undefined) announce([problem.name, t(problemSentences[problem.kind])].filter(Boolean).join(': '), 'assertive');
  }, [problem]);
  return (
    <div className={css['zone']}>
      <div className={css['box']} data-over={isOver || undefined} data-full={full === undefined ? undefined : true}>
        <Icon name="file-pdf" size="xl" />
        <p className={css['words']}>
          <b>{full ?? t('sending.drop')}</b>
          <small>
            {t('sending.accepted')}
            {hint !== undefined && ` · ${hint}`}
          </small>
        </p>
        <FileButton
          ref={buttonRef}
          label={t('sending.addFile')}
          accept="application/pdf,.pdf"
          disabledReason={full}
          {...(problem === undefined ? {} : { 'aria-describedby': noteId })}
          onFiles={onFiles}
        />
      </div>
      {problem !== undefined && (
        <p id={noteId} className={css['problem']}>
          <Icon name="warning-circle-fill" size="s" />
          <span>{t(problemSentences[problem.kind])}</span>
          {problem.name !== '' && <span className={css['name']}>{problem.name}</span>}
        </p>
      )}
    </div>
  );
}
