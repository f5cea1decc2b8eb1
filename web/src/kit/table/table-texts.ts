import { t } from '#platform/language.ts';
import { sentenceAround } from '#platform/sentence-around.ts';

/** Made once for each table: it says some of them for each of its rows. */
export const tableTexts = () => ({
  unread: t('list.unread'),
  more: sentenceAround('list.moreNamed'),
  resize: sentenceAround('list.columnResize', 'column'),
  select: sentenceAround('list.select'),
});

export type TableTexts = ReturnType<typeof tableTexts>;
