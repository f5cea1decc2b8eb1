import { useId } from 'react';
import type { ComponentPropsWithRef, MouseEvent } from 'react';
import css from './Button.module.css';
import { classes } from '#kit/styles/classes.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { tip } from '#kit/overlays/tip.ts';

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'style'> {
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly size?: 's' | 'm' | 'l';
  readonly wide?: boolean;
  readonly icon?: IconName | undefined;
  /** A spinner takes the icon's place and presses are ignored; the button keeps its width and the focus. */
  readonly busy?: boolean;
  /** Why it cannot be pressed now. The button stays focusable and says so. */
  readonly disabledReason?: string | undefined;
}

export function Button({
  kind = 'secondary',
  size = 'm',
  wide = false,
  icon,
  busy = false,
  disabledReason,
  type = 'button',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const blocked = busy || disabledReason !== undefined;
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <>
      <button
        {...rest}
        {...(disabledReason === undefined ? {} : { ...tip(disabledReason), 'aria-describedby': reasonId })}
        type={type}
        className={classes(css['button'], css[kind], css[`size-${size}`], wide && css['wide'], busy && css['busy'])}
        aria-disabled={blocked || undefined}
        aria-busy={busy || undefined}
        onClick={handleClick}
      >
        {icon !== undefined && !busy && <Icon name={icon} />}
        {busy && <Spinner />}
        <span>{children}</span>
      </button>
      {disabledReason !== undefined && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}
