import { t } from '#platform/language.ts';

/** A part of a document's window, told apart from that of another one. */
export const partName = (part: string, name: string | undefined): string =>
  name === undefined ? part : t('viewer.partOf', { part, name });
