import { t } from '#platform/language.ts';
import type { ListAction } from './list-plan.ts';

/* What can be done with one document of a list; plans say which, in which order. */

export const showAction = (): ListAction => ({
  id: 'show',
  icon: 'eye',
  label: t('list.show'),
  named: (name) => t('list.showNamed', { name }),
});

export const downloadAction = (): ListAction => ({
  id: 'download',
  icon: 'download-simple',
  label: t('list.download'),
  named: (name) => t('list.downloadNamed', { name }),
});

export const checkAction = (): ListAction => ({
  id: 'check',
  icon: 'seal-check',
  label: t('list.check'),
  named: (name) => t('list.checkNamed', { name }),
});

/** Asked for too seldom for a button in every row. */
export const historyAction = (): ListAction => ({
  id: 'history',
  icon: 'clock',
  label: t('history.title'),
  named: (name) => t('history.titleOf', { name }),
  onlyInMenu: true,
});
