import { t, type TranslationKey } from '#platform/language.ts';
import type { ListAction } from './list-plan.ts';

/* What can be done with one document of a list; plans say which, in which order. */

interface ActionTexts extends Pick<ListAction, 'id' | 'icon' | 'onlyInMenu'> {
  readonly label: TranslationKey;
  readonly named: TranslationKey;
}

/** Its texts are looked up once a list asks for them: by then the page has its language. */
const action =
  ({ label, named, ...rest }: ActionTexts) =>
  (): ListAction => ({ ...rest, label: t(label), named: (name) => t(named, { name }) });

export const showAction = action({ id: 'show', icon: 'eye', label: 'list.show', named: 'list.showNamed' });
export const downloadAction = action({ id: 'download', icon: 'download-simple', label: 'list.download', named: 'list.downloadNamed' });
export const checkAction = action({ id: 'check', icon: 'seal-check', label: 'list.check', named: 'list.checkNamed' });
/** Asked for too seldom for a button in every row. */
export const historyAction = action({ id: 'history', icon: 'clock', label: 'history.title', named: 'history.titleOf', onlyInMenu: true });
