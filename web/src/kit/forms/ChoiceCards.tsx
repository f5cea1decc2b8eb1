import { useId } from 'react';
import css from './ChoiceCards.module.css';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';

export interface ChoiceOption<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly icon?: IconName;
  /** Why it cannot be chosen now: it stays within reach of the keys, and this is shown and read with it. */
  readonly disabledReason?: string | undefined;
}
export interface ChoiceCardsProps<Id extends string> {
  readonly label: string;
  readonly options: readonly ChoiceOption<Id>[];
  /** Null while nothing is chosen. */
  readonly value: Id | null;
  readonly onChange: (id: Id) => void;
}

/** One of a few, each a card with its own radio button; side by side where there is room. */
export function ChoiceCards<Id extends string>({ label, options, value, onChange }: ChoiceCardsProps<Id>) {
  const name = useId();
  const reasons = options.filter((option) => option.disabledReason !== undefined);
  return (
    <fieldset className={css['group']}>
      <legend className={css['label']}>{label}</legend>
      <div className={css['cards']}>
        {options.map(({ id, label: words, icon, disabledReason }) => (
          <label key={id} className={css['card']} data-blocked={disabledReason === undefined ? undefined : true}>
            <input
              type="radio"
              name={name}
              checked={id === value}
              aria-disabled={disabledReason !== undefined || undefined}
              aria-describedby={disabledReason === undefined ? undefined : `${name}-${id}`}
              onChange={() => disabledReason === undefined && onChange(id)}
            />
            <span>{words}</span>
            {icon !== undefined && <Icon name={icon} />}
          </label>
        ))}
      </div>
      {reasons.map(({ id, disabledReason }) => (
        <p key={id} id={`${name}-${id}`} className={css['reason']}>
          <Icon name="info" size="s" />
          {disabledReason}
        </p>
      ))}
    </fieldset>
  );
}
