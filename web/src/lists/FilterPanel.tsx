import { listLimits } from '@pergamin/contract';
import type { FormEvent, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { DayField, type WrittenDays } from '#kit/forms/DayField.tsx';
import { Select, type SelectOption } from '#kit/forms/Select.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { readDay } from './day-text.ts';
import css from './FilterPanel.module.css';
import type { ListField, ListView } from './list-plan.ts';

interface FilterPanelProps {
  /** Applying would change something, or is needed to be told what is wrong. */
  readonly changed: boolean;
  /** Answers the name of the first field that is wrong, which gets the focus; undefined when all is well. */
  readonly onApply: () => string | undefined;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** The form of a list's filters: fields, and a foot with what is done with them. */
export function FilterPanel({ changed, onApply, onClear, children }: FilterPanelProps) {
  const handleSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    // A field of two days says of each whether it is wrong, once it has been told.
    const wrong = changed ? flushSync(onApply) : undefined;
    if (wrong === undefined) return;
    const field = form.querySelector(`[data-field="${CSS.escape(wrong)}"]`);
    (field?.querySelector<HTMLElement>('input[aria-invalid="true"]') ?? field?.querySelector('input'))?.focus();
  };
  return (
    <form className={css['form']} aria-label={t('filters.title')} onSubmit={handleSubmit}>
      <div className={css['fields']}>{children}</div>
      <div className={css['foot']}>
        <Button kind="primary" type="submit" wide disabledReason={changed ? undefined : t('filters.unchanged')}>
          {t('filters.apply')}
        </Button>
        <Button wide onClick={onClear}>
          {t('filters.clear')}
        </Button>
      </div>
    </form>
  );
}

interface FilterFieldProps {
  readonly name: string;
  /** For the eyes: the control has a name of its own. */
  readonly label: string;
  readonly toggle?: ReactNode;
  readonly children: ReactNode;
}

export function FilterField({ name, label, toggle, children }: FilterFieldProps) {
  return (
    <div className={css['field']} data-field={name}>
      <div className={css['top']}>
        <span className={css['label']} aria-hidden="true">
          {label}
        </span>
        {toggle}
      </div>
      {children}
    </div>
  );
}

export interface Written extends WrittenDays {
  readonly value: string;
}

interface FieldProps extends Pick<FilterFieldProps, 'toggle'> {
  readonly field: ListField;
  readonly written: Written;
  readonly error: string | undefined;
  /** Of a select. */
  readonly options: readonly SelectOption[];
  readonly disabled?: boolean;
  readonly onWrite: (part: Partial<Written>) => void;
}

const all = '*';

/** A field of a filter form, filled in as it looks: days, one of some options, or a text. */
export function WrittenField({ field, written, error, options, disabled = false, onWrite, toggle }: FieldProps) {
  const { key, label, look } = field;
  const { value } = written;
  const isListed = value === '' || options.some(({ id }) => id === value);
  return (
    <FilterField name={key} label={label} toggle={toggle}>
      {look === 'range' || look === 'from' || look === 'to' ? (
        <DayField label={label} mode={look} value={written} onChange={onWrite} error={error} read={readDay} />
      ) : look === 'select' ? (
        <Select
          label={label}
          labelHidden
          options={[{ id: all, label: t('filters.all') }, ...options, ...(isListed ? [] : [{ id: value, label: value }])]}
          value={value === '' ? all : value}
          disabled={disabled}
          onChange={(id) => onWrite({ value: id === all ? '' : id })}
        />
      ) : (
        <TextField
          label={label}
          labelHidden
          value={value}
          maxLength={listLimits.textMaxLength}
          mono={field.mono ?? false}
          placeholder={field.example}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onWrite({ value: event.target.value })}
        />
      )}
    </FilterField>
  );
}

interface SortToggleProps {
  readonly sortKey: string;
  readonly label: string;
  readonly sort: ListView['sort'];
  readonly onSort: (key: string) => void;
}

/** Sorts by a field: not at all, downwards, upwards. */
export function SortToggle({ sortKey, label, sort, onSort }: SortToggleProps) {
  const order = sort.find(({ by }) => by === sortKey)?.order;
  const state = order === undefined ? undefined : t(order === 'desc' ? 'list.descending' : 'list.ascending');
  const name = t('list.sortBy', { column: label });
  return (
    <span className={css['sort']} data-on={order === undefined ? undefined : true}>
      <IconButton
        size="s"
        icon={order === undefined ? 'sort-descending' : order === 'desc' ? 'arrow-down-bold' : 'arrow-up-bold'}
        name={state === undefined ? name : `${name}, ${state}`}
        onClick={() => onSort(sortKey)}
      />
    </span>
  );
}
