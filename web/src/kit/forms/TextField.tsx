import { useId } from 'react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classes } from '#kit/styles/classes.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import field from './Field.module.css';
import css from './TextField.module.css';

export interface TextFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'size'> {
  readonly label: string;
  /** Keeps the label for screen readers only: search boxes with an icon and an example. */
  readonly labelHidden?: boolean;
  /** A sentence; shown under the field and read with it. */
  readonly error?: string | undefined;
  readonly size?: 'm' | 'l';
  readonly mono?: boolean;
  readonly icon?: IconName;
  /** A control at the field's end: reveal a password, clear a search. */
  readonly trailing?: ReactNode;
}

/** An `error` is its description and marks it invalid. `trailing` is inside the frame, after the text. */
export function TextField({
  label,
  labelHidden = false,
  error,
  size = 'm',
  mono = false,
  icon,
  trailing,
  id,
  type = 'text',
  ...rest
}: TextFieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const noteId = `${inputId}-note`;
  return (
    <div className={field['field']}>
      <label htmlFor={inputId} className={labelHidden ? 'visually-hidden' : field['label']}>
        {label}
      </label>
      <div className={classes(field['frame'], css['box'], css[`size-${size}`], mono && css['mono'])}>
        {icon !== undefined && <Icon name={icon} />}
        <input
          {...rest}
          id={inputId}
          type={type}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? rest['aria-describedby'] : noteId}
        />
        {trailing}
      </div>
      {error !== undefined && (
        <p id={noteId} className={classes(field['error'], css['error'])}>
          <Icon name="warning-circle-fill" size="s" />
          {error}
        </p>
      )}
    </div>
  );
}
