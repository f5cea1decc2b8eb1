import { unreadFilter } from '@pergamin/contract';
import { t } from '#platform/language.ts';
import type { ListField } from './list-plan.ts';

/** Narrows a list of the client's own documents to what they have not read. */
export const unreadField = (): ListField => ({
  key: unreadFilter.key,
  label: t('filters.unreadOnly'),
  look: 'flag',
  unsortable: true,
});
