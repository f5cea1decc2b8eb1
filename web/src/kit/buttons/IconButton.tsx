import { useId } from 'react';
import type { ComponentPropsWithRef, MouseEvent } from 'react';
import { classes } from '#kit/styles/classes.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './IconButton.module.css';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { useTooltip } from '#kit/overlays/useTooltip.tsx';

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'className' | 'style' | 'aria-label' | 'children' | 'name'> {
  readonly icon: IconName;
  /** The accessible name and the tooltip. Names its object too: 'Download: Repayment schedule'. */
  readonly name: string;
  /** s 24, m 32, l 40 px; a finger gets 44. */
  readonly size?: 's' | 'm' | 'l';
  /** A number on the corner; put it into `name` as well. */
  readonly count?: number | undefined;
  /** Why it cannot be pressed now. The button stays focusable and says so. */
  readonly disabledReason?: string | undefined;
}

export function IconButton({ icon, name, size = 'm', count = 0, disabledReason, onClick, ...rest }: IconButtonProps) {
  const reasonId = useId();
  const { trigger, tooltip } = useTooltip(disabledReason ?? name);
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
        onPointerEnter={trigger.onPointerEnter}
        onPointerLeave={trigger.onPointerLeave}
        onPointerDown={(event) => {
          trigger.onPointerDown();
          rest.onPointerDown?.(event);
        }}
        onFocus={(event) => {
          trigger.onFocus(event);
          rest.onFocus?.(event);
        }}
        onBlur={(event) => {
          trigger.onBlur();
          rest.onBlur?.(event);
        }}
        onKeyDown={(event) => {
          trigger.onKeyDown(event);
          rest.onKeyDown?.(event);
        }}
        className={classes(css['button'], css[`size-${size}`])}
        aria-label={name}
        aria-disabled={blocked || undefined}
        aria-describedby={blocked ? reasonId : rest['aria-describedby']}
        onClick={handleClick}
      >
        <Icon name={icon} size={size === 's' ? 'xs' : 'm'} />
        {count > 0 && <span className={css['count']}>{count > 99 ? '99+' : count}</span>}
      </button>
      {blocked && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
      {tooltip}
    </>
  );
}
