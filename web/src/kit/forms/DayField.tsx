import { useId, useRef, useState } from 'react';
import { LoadBoundary } from '#kit/feedback/LoadBoundary.tsx';
import { onDemand } from '#platform/code-on-demand.ts';
import { t } from '#platform/language.ts';
import css from './DayField.module.css';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';

/** Days as they were written, which may be none. */
export interface WrittenDays {
  readonly from: string;
  readonly to: string;
}

export interface DayFieldProps {
  /** Names the field, or the group of both. */
  readonly label: string;
  readonly mode: 'range' | 'from' | 'to';
  readonly value: WrittenDays;
  readonly onChange: (value: WrittenDays) => void;
  readonly error?: string | undefined;
  /** Between what is written and the calendar's days (`yyyy-mm-dd`): null for nothing, undefined for no day. */
  readonly read: (text: string) => string | null | undefined;
}

// React Aria's calendar is fetched when the pointer or the focus comes to its button.
const DayCalendar = onDemand(async () => (await import('./DayCalendar.tsx')).DayCalendar);

/** One day, or days from and to, either of which may be left open: typed, or chosen from a calendar. */
export function DayField({ label, mode, value, onChange, error, read }: DayFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const noteId = useId();
  const ends = mode === 'range' ? (['from', 'to'] as const) : [mode];
  const days = { from: read(value.from) ?? null, to: read(value.to) ?? null };
  const shown = mode === 'range' ? days : { from: days[mode], to: days[mode] };
  const unread = ends.filter((end) => read(value[end]) === undefined);
  // One that cannot be read is to blame alone; two that contradict each other both are.
  const isWrong = (end: 'from' | 'to'): boolean => error !== undefined && (unread.length === 0 || unread.includes(end));
  const handleBlur = (end: 'from' | 'to') => {
    const day = read(value[end]);
    // What was understood is written as it was understood.
    if (day !== undefined && (day ?? '') !== value[end]) onChange({ ...value, [end]: day ?? '' });
  };
  return (
    <div className={css['field']}>
      <div ref={box} className={css['box']} role="group" aria-label={label} data-invalid={error === undefined ? undefined : true}>
        {ends.map((end, i) => (
          <span key={end} className={css['end']}>
            {i > 0 && (
              <span className={css['dash']} aria-hidden="true">
                –
              </span>
            )}
            <input
              className="num"
              aria-label={mode === 'range' ? `${label}: ${t(end === 'from' ? 'filters.from' : 'filters.to')}` : label}
              aria-invalid={isWrong(end) || undefined}
              aria-describedby={noteId}
              inputMode="numeric"
              autoComplete="off"
              maxLength={10}
              placeholder={t('filters.dayForm')}
              value={value[end]}
              onChange={(event) => onChange({ ...value, [end]: event.target.value })}
              onBlur={() => handleBlur(end)}
            />
          </span>
        ))}
        <IconButton
          icon="calendar-blank"
          name={`${t('filters.openCalendar')}: ${label}`}
          aria-haspopup="dialog"
          aria-expanded={open}
          onPointerEnter={() => void DayCalendar.preload()}
          onFocus={() => void DayCalendar.preload()}
          onClick={() => setOpen(true)}
        />
      </div>
      <p id={noteId} className={error === undefined ? 'visually-hidden' : css['error']}>
        {error !== undefined && <Icon name="warning-circle-fill" size="s" />}
        {error ?? t('filters.dayForm')}
      </p>
      {open && (
        <LoadBoundary onFailed={() => setOpen(false)}>
          <DayCalendar.Component
            anchor={box}
            label={label}
            mode={mode === 'range' ? 'range' : 'day'}
            {...shown}
            onClose={() => setOpen(false)}
            onChoose={({ from, to }) => {
              onChange(mode === 'range' ? { from: from ?? '', to: to ?? '' } : { ...value, [mode]: from ?? '' });
              setOpen(false);
            }}
          />
        </LoadBoundary>
      )}
    </div>
  );
}
