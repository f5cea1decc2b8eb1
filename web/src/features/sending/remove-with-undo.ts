import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import type { Sending } from './sending.store.ts';

/** What was removed by mistake can be brought back for a few seconds. */
export const removeWithUndo = (sending: Pick<Sending, 'remove'>, key: string, name: string): void => {
  const restore = sending.remove(key);
  emit('alert', { tone: 'info', title: t('sending.removed', { name }), action: { label: t('alert.undo'), run: restore } });
};
