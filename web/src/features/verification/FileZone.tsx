import type { Ref } from 'react';
import { FileButton } from '#kit/buttons/FileButton.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './FileZone.module.css';

interface FileZoneProps {
  readonly buttonRef: Ref<HTMLButtonElement>;
  /** Files are held above the screen. */
  readonly isOver: boolean;
  readonly title: string;
  readonly note: string;
  readonly choose: string;
  readonly onFiles: (files: readonly File[]) => void;
}

export function FileZone({ buttonRef, isOver, title, note, choose, onFiles }: FileZoneProps) {
  return (
    <div className={css['zone']} data-over={isOver || undefined}>
      <Icon name="upload-simple-duotone" size="xl" />
      <p className={css['words']}>
        <b>{title}</b>
        <small>{note}</small>
      </p>
      <FileButton ref={buttonRef} label={choose} multiple onFiles={onFiles} />
    </div>
  );
}
