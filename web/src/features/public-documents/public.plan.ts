import { checkAction, downloadAction, showAction } from '#lists/plan-parts.ts';
import type { ListPlan } from '#lists/list-plan.ts';
import { t } from '#platform/language.ts';

/** Documents for everybody: price lists, terms (D3, D5, D12). Old ones are as much in force as new ones, so that no period narrows them. */
export const publicPlan = (): ListPlan => ({
  kind: 'public',
  label: t('publicView.title'),
  searchLabel: t('publicView.search'),
  criteria: () => [{ id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' }],
  dateKey: 'REG_DATE',
  period: 'none',
  fields: [
    { key: 'PUB_FILENAME', label: t('column.fileName'), look: 'text' },
    { key: 'PUB_DESC_DURATION_TIME', label: t('column.durationDescription'), look: 'text' },
    { key: 'REG_DATE', label: t('column.registrationDate'), look: 'range' },
    { key: 'PUB_DOC_PRODUCT_GROUP', label: t('column.productGroup'), look: 'select', unsortable: true },
  ],
  first: { header: t('column.fileName'), sortKey: 'PUB_FILENAME', nameKey: 'PUB_FILENAME' },
  columns: [
    {
      key: 'PUB_DESC_DURATION_TIME',
      header: t('column.durationDescription'),
      look: 'note',
      width: 240,
      narrowWidth: 160,
      wideWidth: 324,
      leaves: 1,
    },
    { key: 'REG_DATE', header: t('column.registrationDate'), look: 'day', width: 128, narrowWidth: 112 },
  ],
  phoneLines: [['PUB_DESC_DURATION_TIME'], ['REG_DATE']],
  actions: [{ ...showAction(), worded: true }, checkAction(), downloadAction()],
  checkAfterReading: false,
  texts: { noDate: t('filters.selectRegistrationDate'), wrongDate: t('filters.selectCorrectRegistrationDate') },
});
