import type { Brand } from '../parts.ts';
import type { Language } from './texts.ts';

export interface Languages {
  /** In the order in which they are offered, by the names that they call themselves. */
  readonly offered: readonly { readonly tag: Language; readonly name: string }[];
  isSpoken(value: unknown): value is Language;
  /** First of the wanted ones (`ui_locales`: `en-GB pl`) that there is; Polish otherwise. */
  choose(wanted: unknown): Language;
}

const ofTheProduct: Brand['languages'] = [
  { code: 'PL', name: 'Polski' },
  { code: 'EN', name: 'English' },
];

export const createLanguages = (languages: Brand['languages'] = ofTheProduct): Languages => {
  const offered = languages.map(({ code, name }) => ({ tag: code.toLowerCase(), name }));
  const isSpoken = (value: unknown): value is Language => offered.some(({ tag }) => tag === value);
  return {
    offered,
    isSpoken,
    choose(wanted) {
      const tags = typeof wanted === 'string' ? wanted.toLowerCase().split(/\s+/) : [];
      return tags.map((tag) => tag.split('-')[0]).find(isSpoken) ?? 'pl';
    },
  };
};
