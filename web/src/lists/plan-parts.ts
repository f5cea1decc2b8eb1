import { unreadFilter } from '@pergamin/contract';
import { t, type TranslationKey } from '#platform/language.ts';
import type { ListAction, ListField } from './list-plan.ts';

/* What plans have in common: what can be done with one document of a list, and the field for unread ones. */

type ActionTexts = Pick<ListAction, 'id' | 'icon' | 'onlyInMenu'> & Readonly<Record<'label' | 'named', TranslationKey>>;

/** Its texts are looked up once a list asks for them: by then the page has its language. */
const action =
  ({ label, named, ...rest }: ActionTexts) =>
  (): ListAction => ({ ...rest, label: t(label), named: (name) => t(named, { name }) });

export const showAction = action({ id: 'show', icon: 'eye', label: 'list.show', named: 'list.showNamed' });
export const downloadAction = action({ id: 'download', icon: 'download-simple', label: 'list.download', named: 'list.downloadNamed' });
export const checkAction = action({ id: 'check', icon: 'seal-check', label: 'list.check', named: 'list.checkNamed' });
/** Asked for too seldom for a button in every row. */
export const historyAction = action({ id: 'history', icon: 'clock', label: 'history.title', named: 'history.titleOf', onlyInMenu: true });

/** Narrows a list of the client's own documents to what they have not read. */
export const unreadField = (): ListField => ({
  key: unreadFilter.key,
  label: t('filters.unreadOnly'),
  look: 'flag',
  unsortable: true,
});
