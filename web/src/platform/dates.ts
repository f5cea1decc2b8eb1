import { organisationTimeZone } from './brand.ts';
import { t } from './language.ts';

/** A date as it comes over the wire: epoch ms, `yyyy-mm-dd`, −1 for indefinite, or nothing. */
export type DateValue = number | string | null | undefined;

export const isIndefinite = (value: DateValue): boolean => value === -1 || value === '-1';

/**
 * `yyyy-mm-dd`; N/A for nothing; for −1 the Polish word for indefinite, explained in English. Where it stands alone in English text, mark
 * `t('date.indefinite')` with `lang="pl"` (E7).
 */
export const dayText = (value: DateValue): string => dateText(value, (parts) => parts.day);

/** `yyyy-mm-dd, HH:MM:ss`; a calendar day without a time stays a day. */
export const momentText = (value: DateValue): string => dateText(value, (parts) => `${parts.day}, ${parts.time}`);

const dateText = (value: DateValue, write: (parts: { day: string; time: string }) => string): string => {
  if (value === null || value === undefined || value === '') return t('date.none');
  if (isIndefinite(value)) return t('date.indefiniteInFull');
  if (typeof value === 'string' && !/^-?\d+$/.test(value)) return value;
  const moment = new Date(Number(value));
  return Number.isNaN(moment.getTime()) ? t('date.none') : write(partsOf(moment));
};

const makeFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

/** Making one takes longer than writing a hundred dates with it, and the zone is known once the sentences are there. */
let made: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | undefined;

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  if (made?.timeZone !== timeZone) made = { timeZone, format: makeFormat(timeZone) };
  return made.format;
};

const partsOf = (moment: Date): { day: string; time: string } => {
  const format = formatOf(organisationTimeZone());
  const parts = new Map(format.formatToParts(moment).map((part) => [part.type, part.value]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? '';
  return {
    day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
  };
};
