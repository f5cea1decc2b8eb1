import { useId } from 'react';
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { classes } from '#kit/styles/classes.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './IconButton.module.css';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { tip } from '#kit/overlays/tip.ts';

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'style' | 'aria-label' | 'name'> {
  readonly icon: IconName;
  /** The accessible name and the tooltip. Names its object too: 'Download: Repayment schedule'. */
  readonly name: string;
  /** s 24, m 32, l 40 px; a finger gets 44. */
  readonly size?: 's' | 'm' | 'l';
  /** A number on the corner; put it into `name` as well. */
  readonly count?: number | undefined;
  /** A short form of `name` beside the icon. */
  readonly word?: string | undefined;
  /** The icon drawn in another way. */
  readonly children?: ReactNode;
  /** Why it cannot be pressed now. The button stays focusable and says so. */
  readonly disabledReason?: string | undefined;
}

export function IconButton({ icon, name, size = 'm', count = 0, word, disabledReason, onClick, children, ...rest }: IconButtonProps) {
  const reasonId = useId();
  const blocked = disabledReason !== undefined;
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <>
      <button
        type="button"
        {...rest}
        {...tip(disabledReason ?? name)}
        className={classes(css['button'], css[`size-${size}`], word !== undefined && css['with-word'])}
        aria-label={name}
        aria-disabled={blocked || undefined}
        aria-describedby={blocked ? reasonId : rest['aria-describedby']}
        onClick={handleClick}
      >
        {children ?? <Icon name={icon} size={size === 's' ? 'xs' : 'm'} />}
        {word !== undefined && (
          <span className={css['word']} aria-hidden="true">
            {word}
          </span>
        )}
        {count > 0 && <span className={css['count']}>{count > 99 ? '99+' : count}</span>}
      </button>
      {blocked && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}
