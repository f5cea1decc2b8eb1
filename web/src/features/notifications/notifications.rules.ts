import type { Notification, NotificationType } from '@pergamin/contract';

/**
 * The kinds of news in a list since another look at it. What was there at the first look is no news, and neither are older ones that only move
 * up because others were read.
 */
export const arrivalsIn = (items: readonly Notification[], before: readonly Notification[] | undefined): ReadonlySet<NotificationType> => {
  if (before === undefined) return new Set();
  const known = new Set(before.map(({ id }) => id));
  const newest = Math.max(0, ...before.map(({ timestamp }) => timestamp));
  return new Set(items.filter(({ id, timestamp }) => !known.has(id) && timestamp >= newest).map(({ type }) => type));
};

/** What a document is called: its file name without the ending. */
export const nameOf = ({ name }: Notification): string => name.trim().replace(/\.pdf$/i, '');
