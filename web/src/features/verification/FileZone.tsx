import { type Ref, useRef } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
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
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={css['zone']} data-over={isOver || undefined}>
      <Icon name="upload-simple-duotone" size="xl" />
      <p className={css['words']}>
        <b>{t('verify.drop')}</b>
        <small>{t('verify.stays')}</small>
      </p>
      <Button ref={buttonRef} onClick={() => input.current?.click()}>
        {t('verify.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('verify.choose')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
