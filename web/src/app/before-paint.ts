/** Runs before anything is painted, and the first paint waits for all that is imported here: the build makes one small file of it. */
import type { sessionStorageKeys } from '@pergamin/contract';
import { keepEarlyPress } from '#features/sign-in/early-press.ts';
import { applyAppearance } from '#platform/appearance.ts';
import { findChosenLanguage } from '#platform/chosen-language.ts';

const languageKey: (typeof sessionStorageKeys)['language'] = 'lang';

/** Of the sign-in pages that the server drew, those of other languages as templates, the spoken one; none when it did not draw that. */
export const choosePrerendered = (root: HTMLElement): void => {
  if (!root.hasChildNodes()) return;
  const { documentElement } = document;
  const templates = [...document.querySelectorAll<HTMLTemplateElement>('template[data-language]')];
  const spoken = findChosenLanguage() ?? sessionStorage.getItem(languageKey);
  if (spoken !== null && spoken.toLowerCase() !== documentElement.lang) {
    const own = templates.find(({ dataset }) => dataset['language'] === spoken);
    root.replaceChildren(...(own === undefined ? [] : [own.content]));
    if (own !== undefined) documentElement.lang = spoken.toLowerCase();
  }
  for (const template of templates) template.remove();
  documentElement.dataset['drawn'] = 'chosen';
  keepEarlyPress(root);
};

applyAppearance();
const root = document.getElementById('root');
if (root !== null) choosePrerendered(root);
