import { checkAction, downloadAction, historyAction, showAction, unreadField } from '#lists/plan-parts.ts';
import type { ListPlan } from '#lists/list-plan.ts';
import { t } from '#platform/language.ts';

/** Everything delivered to the person but statements and public documents (D1, D5, D12). */
export const receivedPlan = (): ListPlan => ({
  kind: 'received',
  label: t('documents.received'),
  searchLabel: t('received.search'),
  criteria: (statementMarker) => [
    { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
    { id: statementMarker, operator: 'NOT_EQUALS', value: 'STATEMENTS' },
  ],
  dateKey: 'REG_DATE',
  period: 'optional',
  fields: [
    { key: 'PRIV_DOC_PRODUCT_GROUP', label: t('column.documentGroup'), look: 'select' },
    { key: 'ACCOUNT_NUMBER', label: t('column.accountNumber'), look: 'text', mono: true, example: t('filters.accountExample') },
    { key: 'REG_DATE', label: t('column.registrationDate'), look: 'range' },
    unreadField(),
  ],
  first: { header: t('column.productGroup'), sortKey: 'PRIV_DOC_PRODUCT_GROUP', groupKey: 'PRIV_DOC_PRODUCT_GROUP' },
  columns: [
    { key: 'ACCOUNT_NUMBER', header: t('column.accountNumber'), look: 'account', width: 196, narrowWidth: 188, wideWidth: 302, leaves: 1 },
    { key: 'PRIV_CASE_NUMBER', header: t('column.caseNumber'), look: 'mono', width: 131, narrowWidth: 124, leaves: 2 },
    { key: 'REG_DATE', header: t('column.registrationDate'), look: 'day', width: 112, narrowWidth: 112, wideWidth: 132 },
  ],
  phoneLines: [['PRIV_DOC_PRODUCT_GROUP', 'REG_DATE'], ['ACCOUNT_NUMBER']],
  actions: [showAction(), downloadAction(), checkAction(), historyAction()],
  checkAfterReading: true,
  texts: { noDate: t('filters.selectRegistrationDate'), wrongDate: t('filters.selectCorrectRegistrationDate') },
});
