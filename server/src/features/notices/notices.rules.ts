import type { ChannelId } from '@pergamin/contract';

/** After the first, second… time that a notice was not taken; then each time the last one, as long as `waitsMs` allows. */
const pausesMs = [15_000, 60_000, 5 * 60_000, 20 * 60_000, 30 * 60_000];

/** As for mail: an outage of a weekend loses nothing. */
const waitsMs = 72 * 3_600_000;

interface Tried {
  readonly failures: number;
  readonly createdAt: Date;
  readonly now: Date;
}

/** When it is tried again; undefined: not any more. */
export const nextAttemptAt = ({ failures, createdAt, now }: Tried): Date | undefined => {
  const next = now.getTime() + (pausesMs[failures - 1] ?? pausesMs.at(-1) ?? 0);
  return next > createdAt.getTime() + waitsMs ? undefined : new Date(next);
};

/** Notices by mail share the mail queue, with a lower priority than mail that a person waits for; SMS have a queue of their own. */
export const queueOf: Readonly<Record<ChannelId, string>> = { EMAIL: 'mail', SMS: 'sms' };

/** Notices sent in a row, before a job of another kind may run. */
export const maxNoticesPerJob = 20;

export type NoticeKind = 'publication' | 'reminder' | 'withdrawal';

export const templateOf = { publication: 'newDocument', reminder: 'unreadDocument', withdrawal: 'cancelledDocument' } as const;

/** Shorter ones are found in any text. */
const shortestId = 4;

/**
 * The name in a notice: file names are the organisation's and may hold data that must not be mailed, so the client's own numbers are
 * removed from it.
 */
export const nameWithoutIds = (name: string, ids: readonly (string | null)[]): string =>
  ids.reduce<string>((text, id) => (id === null || id.length < shortestId ? text : text.replaceAll(id, '…')), name);

/** No reminder is sent at night. */
const firstHour = 8;
const lastHour = 19;

export const isDaytime = (moment: Date, timeZone: string): boolean => {
  const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(moment));
  return hour >= firstHour && hour <= lastHour;
};

/** A name in an SMS is cut: an SMS is paid by its parts. */
const longestInSms = 60;

export const shortened = (name: string): string =>
  // Half a surrogate pair at the end is removed.
  name.length <= longestInSms ? name : `${name.slice(0, longestInSms - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/** Placeholders that a notice's sentence may have, besides those of the product's own. None of them has to be there. */
export const noticePlaceholders = ['organisation', 'fileName', 'sha256', 'register', 'link'] as const;

/** Whose sentences an installation may write as it likes: with a link in an SMS, say, or without one in a mail. */
export const noticeSentences = Object.values(templateOf).flatMap((template) => [
  `mail.${template}.subject`,
  `mail.${template}.text`,
  `sms.${template}.text`,
]);
