import sprite from '../../../../design/icons.svg?url';
import { classes } from '#kit/styles/classes.ts';
import css from './Icon.module.css';
import type { IconName } from './icon-names.generated.ts';

export interface IconProps {
  readonly name: IconName;
  /** s 16, m 20, l 24, xl 32, xxl 56 px. */
  readonly size?: 'xs' | 's' | 'm' | 'l' | 'xl' | 'xxl';
  readonly className?: string | undefined;
}

/** A symbol of the sprite, always decoration: the control or the word beside it says what it means. */
export function Icon({ name, size = 'm', className }: IconProps) {
  return (
    <svg className={classes(css['icon'], css[size], className)} aria-hidden="true" focusable="false">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
