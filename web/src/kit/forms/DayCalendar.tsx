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

const dateOf = (day: string | null): CalendarDate | null => (day === null ? null : parseDate(day));

/** A month of days under a field, Monday first: arrow keys, Page Up and Down, Escape. Taken down by `onClose`. */
export function DayCalendar({ anchor, label, mode, from, to, onChoose, onClose }: DayCalendarProps) {
  const [start, end] = [dateOf(from), dateOf(to)];
  const focused = start ?? end;
  const begins = focused === null ? {} : { defaultFocusedValue: focused };
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
              aria-label={label}
              autoFocus
              firstDayOfWeek="mon"
              defaultValue={start !== null && end !== null && start.compare(end) <= 0 ? { start, end } : null}
              onChange={(range) => onChoose({ from: range.start.toString(), to: range.end.toString() })}
            >
              <Month />
            </RangeCalendar>
          ) : (
            <Calendar
              {...begins}
              aria-label={label}
              autoFocus
              firstDayOfWeek="mon"
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

function Month() {
  return (
    <>
      <header className={css['head']}>
        <Button slot="previous" className={css['step'] ?? ''}>
          <Icon name="caret-left" />
        </Button>
        <Heading className={css['title'] ?? ''} />
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
