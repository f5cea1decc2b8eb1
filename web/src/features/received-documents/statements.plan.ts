import { checkAction, downloadAction, historyAction, showAction, unreadField } from '#lists/plan-parts.ts';
import type { ListPlan } from '#lists/list-plan.ts';
import { t } from '#platform/language.ts';

/** Account statements, told from other private documents by the installation's marker key (D2, D5, D12). */
export const statementsPlan = (): ListPlan => ({
  kind: 'statements',
  label: t('statements.title'),
  searchLabel: t('statements.search'),
  criteria: (statementMarker) => [
    { id: 'TYPE', operator: 'EQUALS', value: 'PRIVATE' },
    { id: statementMarker, operator: 'EQUALS', value: 'STATEMENTS' },
  ],
  dateKey: 'ST_DATE',
  period: 'required',
  fields: [
    { key: 'ST_NUMBER', label: t('column.statementNumber'), look: 'text' },
    { key: 'ST_DOC_TYPE', label: t('column.documentType'), look: 'select' },
    { key: 'ACCOUNT_NUMBER', label: t('column.accountNumber'), look: 'text', mono: true, example: t('filters.accountExample') },
    { key: 'ST_DATE', label: t('column.statementDate'), look: 'range' },
    { key: 'ST_PERIOD_START', label: t('column.periodStart'), look: 'from' },
    { key: 'ST_PERIOD_END', label: t('column.periodEnd'), look: 'to' },
    unreadField(),
  ],
  first: { header: t('column.statementNumber'), sortKey: 'ST_NUMBER', groupKey: 'ST_NUMBER', plain: true, width: 90, narrowWidth: 84 },
  columns: [
    { key: 'ST_DOC_TYPE', header: t('column.documentType'), look: 'option', width: 166, narrowWidth: 156, wideWidth: 300 },
    { key: 'ST_DATE', header: t('column.statementDate'), look: 'day', width: 106, narrowWidth: 104, wideWidth: 116 },
    { key: 'ACCOUNT_NUMBER', header: t('column.accountNumber'), look: 'account', width: 302, narrowWidth: 188, leaves: 1 },
    { key: 'ST_PERIOD_START', header: t('column.periodStart'), look: 'day', width: 106, narrowWidth: 98, wideWidth: 122, leaves: 3 },
    { key: 'ST_PERIOD_END', header: t('column.periodEnd'), look: 'day', width: 106, narrowWidth: 98, leaves: 2 },
  ],
  phoneLines: [['ST_DOC_TYPE', 'ST_DATE'], ['ACCOUNT_NUMBER']],
  actions: [
    showAction(),
    downloadAction(),
    { ...checkAction(), label: t('list.verify'), named: (name) => t('list.verifyNamed', { name }) },
    historyAction(),
  ],
  checkAfterReading: true,
  texts: { noDate: t('filters.selectStatementDate'), wrongDate: t('filters.selectCorrectStatementDate') },
});
