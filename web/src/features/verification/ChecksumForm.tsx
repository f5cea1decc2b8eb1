import { type SyntheticEvent, useId, useRef, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import fieldCss from '#kit/forms/Field.module.css';
import { Icon } from '#kit/icons/Icon.tsx';
import { classes } from '#kit/styles/classes.ts';
import { t } from '#platform/language.ts';
import { bareChecksum, type ChecksumProblem, problemOf } from './checksum-text.ts';
import css from './ChecksumForm.module.css';

const sentences = { empty: 'verify.required', invalid: 'code.INVALID_SHA256' } as const;

/** Verification by a checksum from a letter or a phone call; `onChecksum` takes 64 hex digits. */
export function ChecksumForm({ onChecksum }: { readonly onChecksum: (sha256: string) => void }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<ChecksumProblem>();
  const bare = bareChecksum(text);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const found = problemOf(bare);
    setProblem(found);
    if (found === undefined) {
      onChecksum(bare);
      return;
    }
    announce(t(sentences[found]), 'assertive');
    field.current?.focus();
  };
  return (
    <form className={css['form']} noValidate onSubmit={submit}>
      <label htmlFor={id} className={fieldCss['label']}>
        {t('verify.checksumLabel')}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={3}
        value={text}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? `${id}-hint` : `${id}-problem ${id}-hint`}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setProblem(undefined);
        }}
        onKeyDown={(event) => {
          // A checksum has no lines: Enter verifies, as in any field of one value.
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <p id={`${id}-hint`} className={fieldCss['hint']}>
        {t('verify.checksumHint', { number: bare.length })}
      </p>
      {problem !== undefined && (
        <p id={`${id}-problem`} className={classes(fieldCss['error'], css['problem'])}>
          <Icon name="warning-circle-fill" size="s" />
          {t(sentences[problem])}
        </p>
      )}
      <Button type="submit" kind="primary" wide icon="seal-check">
        {t('verify.check')}
      </Button>
    </form>
  );
}
