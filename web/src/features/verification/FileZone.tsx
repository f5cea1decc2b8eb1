import type { Ref } from 'react';
import { FileButton } from '#kit/buttons/FileButton.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { t } from '#platform/language.ts';
import css from './FileZone.module.css';

interface FileZoneProps {
  readonly buttonRef: Ref<HTMLButtonElement>;
  /** Files are held above the screen. */
  readonly isOver: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Where files are dropped, or chosen from a list. */
export function FileZone({ buttonRef, isOver, onFiles }: FileZoneProps) {
  return (
    <div className={css['zone']} data-over={isOver || undefined}>
      <Icon name="upload-simple-duotone" size="xl" />
      <p className={css['words']}>
        <b>{t('verify.drop')}</b>
        <small>{t('verify.stays')}</small>
      </p>
      <FileButton ref={buttonRef} label={t('verify.choose')} multiple onFiles={onFiles} />
    </div>
  );
}
