const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);

/** Markup that is already safe to send. Made by `html` and `trustedMarkup` only. */
export interface Markup {
  readonly markup: string;
}

type Value = string | Markup | false | undefined | readonly Markup[];

const render = (value: Value): string => {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return escape(value);
  return 'markup' in value ? value.markup : value.map(render).join('');
};

/** Builds markup; every string put in is escaped, `false` and `undefined` leave nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup => ({
  markup: parts.map((part, index) => part + render(values[index])).join(''),
});

/** For the product's own markup (icons). Never for anything that a request brought. */
export const trustedMarkup = (markup: string): Markup => ({ markup });
