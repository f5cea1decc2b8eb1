import { currentLanguage, languageTag } from './language.ts';

/** A name that the organisation gave in every language of the portal. */
interface Named {
  readonly id: string;
  readonly name: { readonly pl: string; readonly en: string };
}

/** In the language of the page. */
export const nameText = ({ pl, en }: Named['name']): string => (currentLanguage() === 'PL' ? pl : en);

/** Named things as something to be chosen, by name in the order of the language. */
export const namedOptions = (items: readonly Named[]): readonly { readonly id: string; readonly label: string }[] => {
  const { compare } = new Intl.Collator(languageTag(), { numeric: true });
  return items.map(({ id, name }) => ({ id, label: nameText(name) })).toSorted((a, b) => compare(a.label, b.label));
};
