import { CalendarDate, parseDate } from '@internationalized/date';
import type { RefObject } from 'react';
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarMonthPicker,
  CalendarYearPicker,
  Dialog,
  Heading,
  I18nProvider,
  Popover,
  RangeCalendar,
} from 'react-aria-components';
import { currentLanguage } from '#platform/language.ts';
import css from './DayCalendar.module.css';
import { Icon } from '#kit/icons/Icon.tsx';

export interface DayCalendarProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly label: string;
  /** One day, or the first and the last of several. */
  readonly mode: 'day' | 'range';
  readonly from: string | null;
  readonly to: string | null;
  /** For one day both are the same. */
  readonly onChoose: (days: { readonly from: string; readonly to: string }) => void;
  readonly onClose: () => void;
}

/** Papers are kept for decades. */
const yearsOffered = 60;

const dateOf = (day: string | null): CalendarDate | null => (day === null ? null : parseDate(day));

/** A month of days under a field, Monday first: arrow keys, Page Up and Down, Escape. Taken down by `onClose`. */
export function DayCalendar({ anchor, label, mode, from, to, onChoose, onClose }: DayCalendarProps) {
  const [start, end] = [dateOf(from), dateOf(to)];
  const focused = start ?? end;
  const begins = {
    ...(focused === null ? {} : { defaultFocusedValue: focused }),
    'aria-label': label,
    autoFocus: true,
    firstDayOfWeek: 'mon',
  } as const;
  return (
    <I18nProvider locale={currentLanguage() === 'PL' ? 'pl-PL' : 'en-GB'}>
      <Popover
        className={css['popover'] ?? ''}
        triggerRef={anchor}
        isOpen
        onOpenChange={(open) => !open && onClose()}
        placement="bottom start"
        offset={4}
      >
        <Dialog className={css['dialog'] ?? ''} aria-label={label}>
          {mode === 'range' ? (
            <RangeCalendar
              {...begins}
              defaultValue={rangeOf(start, end)}
              onChange={(range) => onChoose({ from: range.start.toString(), to: range.end.toString() })}
            >
              <Month />
            </RangeCalendar>
          ) : (
            <Calendar
              {...begins}
              className={css['single'] ?? ''}
              defaultValue={focused}
              onChange={(day) => onChoose({ from: day.toString(), to: day.toString() })}
            >
              <Month />
            </Calendar>
          )}
        </Dialog>
      </Popover>
    </I18nProvider>
  );
}

/** Where one end is open, the other one is shown. */
const rangeOf = (start: CalendarDate | null, end: CalendarDate | null) => {
  const [first, last] = [start ?? end, end ?? start];
  return first !== null && last !== null && first.compare(last) <= 0 ? { start: first, end: last } : null;
};

interface PickerProps {
  readonly 'aria-label': string;
  readonly value: string | number;
  readonly onChange: (key: number | null) => void;
  readonly items: readonly { readonly id: number; readonly formatted: string }[];
}

/** A month or a year, by the platform's own list: on a phone it is a wheel. */
function Picker({ value, onChange, items, 'aria-label': label }: PickerProps) {
  return (
    <select className={css['picker']} aria-label={label} value={value} onChange={(event) => onChange(Number(event.target.value))}>
      {items.map(({ id, formatted }) => (
        <option key={id} value={id}>
          {formatted}
        </option>
      ))}
    </select>
  );
}

function Month() {
  return (
    <>
      <header className={css['head']}>
        <Button slot="previous" className={css['step'] ?? ''}>
          <Icon name="caret-left" />
        </Button>
        <div className={css['title']}>
          <Heading className="visually-hidden" />
          <CalendarMonthPicker>{(picker) => <Picker {...picker} />}</CalendarMonthPicker>
          <CalendarYearPicker visibleYears={yearsOffered}>{(picker) => <Picker {...picker} />}</CalendarYearPicker>
        </div>
        <Button slot="next" className={css['step'] ?? ''}>
          <Icon name="caret-right" />
        </Button>
      </header>
      <CalendarGrid className={css['grid'] ?? ''} weekdayStyle="short">
        <CalendarGridHeader>{(day) => <CalendarHeaderCell className={css['weekday'] ?? ''}>{day}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>{(date) => <CalendarCell date={date} className={css['cell'] ?? ''} />}</CalendarGridBody>
      </CalendarGrid>
    </>
  );
}
