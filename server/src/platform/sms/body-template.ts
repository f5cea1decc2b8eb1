/** The body of a request to the gateway, in its own format: JSON when the template begins with a brace or a bracket, else a form. */
export interface BodyTemplate {
  readonly contentType: 'application/json' | 'application/x-www-form-urlencoded';
  /** Values are inserted into the parsed shape, never into its text: no value can end a string or begin a field. */
  write(values: BodyValues): string;
}

const names = ['to', 'number', 'text', 'reference'] as const;
/** `to`: + and digits. `number`: the digits alone. `reference`: ours, the same however often it is tried. */
export type BodyValues = Readonly<Record<(typeof names)[number], string>>;

const placeholder = /\{\{([^{}]*)\}\}/g;

const isName = (name: string): name is keyof BodyValues => names.some((one) => one === name);

const fillText = (text: string, values: BodyValues): string =>
  text.replaceAll(placeholder, (whole, written: string) => {
    const name = written.trim();
    return isName(name) ? values[name] : whole;
  });

const fillShape = (shape: unknown, values: BodyValues): unknown => {
  if (typeof shape === 'string') return fillText(shape, values);
  if (Array.isArray(shape)) return shape.map((item: unknown) => fillShape(item, values));
  if (shape !== null && typeof shape === 'object')
    return Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, fillShape(value, values)]));
  return shape;
};

const isJson = (written: string): boolean => /^\s*(\{(?!\{)|\[)/.test(written);

const parseJson = (written: string): unknown => {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
};

const hasPlaceholderInName = (shape: unknown): boolean => {
  if (shape === null || typeof shape !== 'object') return false;
  return Object.entries(shape).some(([key, value]) => key.includes('{{') || hasPlaceholderInName(value));
};

const jsonFault = (written: string): string | undefined => {
  const shape = parseJson(written);
  if (shape === undefined) return 'begins like JSON and is none';
  return hasPlaceholderInName(shape) ? 'a placeholder is in the place of a name' : undefined;
};

const formFault = (written: string): string | undefined => {
  const fields = [...new URLSearchParams(written).keys()];
  const isWrong = fields.some((field) => field === '' || field.includes('{{'));
  return isWrong ? 'not the fields of a form, like to={{to}}&message={{text}}' : undefined;
};

/** What is wrong with a template; undefined: nothing. */
export const bodyFault = (written: string): string | undefined => {
  const used = [...written.matchAll(placeholder)].map(([, name = '']) => name.trim());
  const unknown = used.find((name) => !isName(name));
  if (unknown !== undefined) return `{{${unknown}}} is none of ${names.map((name) => `{{${name}}}`).join(' ')}`;
  if (!used.includes('text')) return '{{text}} is missing';
  if (!used.includes('to') && !used.includes('number')) return '{{to}} or {{number}} is missing';
  return isJson(written) ? jsonFault(written) : formFault(written);
};

/** Of a template without faults. */
export const readBodyTemplate = (written: string): BodyTemplate => {
  if (isJson(written)) {
    const shape = parseJson(written);
    return { contentType: 'application/json', write: (values) => JSON.stringify(fillShape(shape, values)) };
  }
  const fields = [...new URLSearchParams(written)];
  return {
    contentType: 'application/x-www-form-urlencoded',
    write: (values) => new URLSearchParams(fields.map(([name, value]): [string, string] => [name, fillText(value, values)])).toString(),
  };
};
