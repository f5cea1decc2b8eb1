import { createWallClock, type WallClock } from '@pergamin/contract';
import { organisationTimeZone } from './brand.ts';
import { t } from './language.ts';

/** A date as it comes over the wire: epoch ms, `yyyy-mm-dd`, −1 for indefinite, or nothing. */
export type DateValue = number | string | null | undefined;

export const isIndefinite = (value: DateValue): boolean => value === -1 || value === '-1';

/** `yyyy-mm-dd`; N/A for nothing; for −1 the Polish word for indefinite with its meaning: alone in English text it needs `lang="pl"` (E7). */
export const dayText = (value: DateValue): string => dateText(value, (parts) => parts.day);

/** `yyyy-mm-dd, HH:MM:ss`; a calendar day without a time stays a day. */
export const momentText = (value: DateValue): string => dateText(value, (parts) => `${parts.day}, ${parts.time}`);

const dateText = (value: DateValue, write: (parts: WallClock) => string): string => {
  if (value === null || value === undefined || value === '') return t('date.none');
  if (isIndefinite(value)) return t('date.indefiniteInFull');
  if (typeof value === 'string' && !/^-?\d+$/.test(value)) return value;
  const moment = new Date(Number(value));
  return Number.isNaN(moment.getTime()) ? t('date.none') : write(partsOf(moment));
};

/** The zone is known once the sentences are there. */
let made: { readonly timeZone: string; readonly clock: (moment: Date) => WallClock } | undefined;

const partsOf = (moment: Date): WallClock => {
  const timeZone = organisationTimeZone();
  if (made?.timeZone !== timeZone) made = { timeZone, clock: createWallClock(timeZone) };
  return made.clock(moment);
};
