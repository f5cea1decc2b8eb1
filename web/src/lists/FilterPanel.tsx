import { listLimits } from '@pergamin/contract';
import { useState } from 'react';
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

/** What is being written in a form, and what is wrong in it. It begins anew when something else is applied: a chip was taken away, or a saved view opened. */
export function useDraft<Applied, Draft>(applied: Applied, draftOf: (applied: Applied) => Draft) {
  const [seen, setSeen] = useState(applied);
  const [draft, setDraft] = useState(() => draftOf(applied));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const change = (next: Draft): void => {
    setDraft(next);
    setErrors({});
  };
  if (seen !== applied) {
    setSeen(applied);
    change(draftOf(applied));
  }
  return { draft, change, errors, setErrors };
}

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
  /** At the end of the label. */
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

/** What is written in one field: a text, or days. */
export interface Written extends WrittenDays {
  readonly value: string;
}

interface FilterControlProps {
  readonly field: Pick<ListField, 'label' | 'look' | 'mono' | 'example'>;
  readonly written: Written;
  readonly error: string | undefined;
  /** Of a select. */
  readonly options: readonly SelectOption[];
  readonly disabled?: boolean;
  readonly onWrite: (part: Partial<Written>) => void;
}

const all = '*';

/** What one field is filled in with. */
export function FilterControl({ field, written, error, options, disabled = false, onWrite }: FilterControlProps) {
  const { label, look } = field;
  const { value } = written;
  if (look === 'range' || look === 'from' || look === 'to')
    return <DayField label={label} mode={look} value={written} onChange={onWrite} error={error} read={readDay} />;
  if (look === 'select') {
    const shown = value === '' || options.some(({ id }) => id === value) ? options : [...options, { id: value, label: value }];
    return (
      <Select
        label={label}
        labelHidden
        options={[{ id: all, label: t('filters.all') }, ...shown]}
        value={value === '' ? all : value}
        disabled={disabled}
        onChange={(id) => onWrite({ value: id === all ? '' : id })}
      />
    );
  }
  return (
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
