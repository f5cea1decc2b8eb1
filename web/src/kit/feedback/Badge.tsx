import css from './Badge.module.css';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';

export type Tone = 'ok' | 'bad' | 'warn' | 'note' | 'seal' | 'neutral';

export interface BadgeProps {
  readonly tone?: Tone;
  readonly icon?: IconName;
  readonly children: string | number;
}

/** A state as icon and word; colour only supports it. */
export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span className={css['badge']} data-tone={tone}>
      {icon !== undefined && <Icon name={icon} size="s" />}
      {children}
    </span>
  );
}
