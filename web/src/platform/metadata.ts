import type { Dictionary, DocumentRow, MetadataDefinition, MetadataMap, MetadataValue } from '@pergamin/contract';
import { type DateValue, dayText, isIndefinite, momentText } from './dates.ts';
import { t } from './language.ts';
import { nameText } from './names.ts';
import { numberText, sizeText } from './numbers.ts';

/** A value as a screen shows it; `mono` and `checksum` are machine values. */
export interface ShownValue {
  readonly look: 'text' | 'mono' | 'checksum' | 'indefinite';
  readonly text: string;
}

export interface MetadataLine {
  readonly id: string;
  readonly label: string;
  readonly value: ShownValue;
}

export type Screen = MetadataDefinition['screens'][number];

/** The names of metadata keys and the texts of their values, in the language of the page. */
export interface MetadataTexts {
  /** The name of a key; the key itself when it is not defined. */
  readonly labelOf: (id: string) => string;
  /** A value in one line, '' for nothing. */
  readonly textOf: (id: string, value: MetadataValue | undefined) => string;
  /** The options of a KEY_NAME key by their names; none for any other. */
  readonly optionsOf: (id: string) => readonly { readonly key: string; readonly label: string }[];
  /** The rows of one screen in definition order; a row only where there is something to show (F4). */
  readonly linesOf: (values: MetadataMap, screen: Screen) => readonly MetadataLine[];
}

interface Sources {
  readonly definitions: readonly MetadataDefinition[];
  readonly dictionaries: readonly Dictionary[];
}

const sizeId = '4';
const checksumId = 'CHECKSUM_SHA256';
const accountNumberId = 'ACCOUNT_NUMBER';
/** In a list it is called by its definition's name. */
const durationId = 'PUB_DESC_DURATION_TIME';

/** In the language that the tab speaks when it is made. */
export const createMetadataTexts = ({ definitions, dictionaries }: Sources): MetadataTexts => {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const names = new Map(definitions.map(({ id, name }) => [id, nameText(name)]));
  const optionNames = new Map(
    dictionaries.map(({ id, values }) => [id, new Map(values.map(({ key, name }) => [key, nameText(name)]))] as const),
  );

  const shownOf = (id: string, value: MetadataValue): ShownValue => {
    const definition = byId.get(id);
    switch (definition?.type) {
      case 'DATE':
      case 'SIMPLE_DATE':
        return shownDate(value, definition.type === 'DATE' ? momentText : dayText);
      case 'BOOLEAN':
        return { look: 'text', text: typeof value === 'boolean' ? t(value ? 'value.yes' : 'value.no') : String(value) };
      case 'DECIMAL':
        if (typeof value !== 'number') return { look: 'text', text: String(value) };
        return { look: 'text', text: id === sizeId ? sizeText(value) : numberText(value) };
      case 'KEY_NAME':
        // An unknown option is shown by its raw key (P3).
        return { look: 'text', text: optionNames.get(definition.dictionary ?? '')?.get(String(value)) ?? String(value) };
      case 'RAW':
        if (id === checksumId) return { look: 'checksum', text: String(value) };
        return { look: 'mono', text: id === accountNumberId ? accountNumberText(String(value)) : String(value) };
      default:
        return { look: 'text', text: String(value) };
    }
  };

  return {
    labelOf: (id) => names.get(id) ?? id,
    textOf: (id, value) => {
      if (value === undefined) return '';
      const shown = shownOf(id, value);
      return shown.look === 'indefinite' ? dayText(-1) : shown.text;
    },
    optionsOf: (id) => [...(optionNames.get(byId.get(id)?.dictionary ?? '') ?? [])].map(([key, label]) => ({ key, label })),
    linesOf: (values, screen) =>
      withoutTwins(
        definitions.flatMap(({ id, number, name, screens }) => {
          // A map is written by key and may be read by the number of the same thing.
          const value = values[id] ?? (number === null ? undefined : values[String(number)]);
          if (!screens.includes(screen) || value === undefined || String(value).trim() === '') return [];
          return [{ id, label: id === durationId ? t('metadata.durationTime') : nameText(name), value: shownOf(id, value) }];
        }),
      ),
  };
};

/** A public document has its file name under two keys, which have one name. */
const withoutTwins = (lines: readonly MetadataLine[]): readonly MetadataLine[] =>
  lines.filter(({ label, value }, i) => !lines.slice(0, i).some((line) => line.label === label && line.value.text === value.text));

type Described = Pick<DocumentRow, 'metadata'>;

export const fileNameOf = ({ metadata }: Described): string | undefined => metadata['FILE_NAME']?.toString();

/** 64 hex digits. */
export const checksumOf = ({ metadata }: Described): string | undefined => metadata[checksumId]?.toString() || undefined;

export const publishedAt = ({ metadata }: Described): DateValue => {
  const at = metadata['PUBLICATION_DATE'];
  return typeof at === 'boolean' ? undefined : at;
};

/** What a document is called: its file name without the ending. */
export const titleOf = (document: Described & { readonly id: string }): string =>
  (fileNameOf(document) ?? '').trim().replace(/\.pdf$/i, '') || document.id;

/** An account number as an IBAN in groups of four, with PL added where its check digits are those of Poland; anything else as it is. */
export const accountNumberText = (value: string): string => {
  const compact = value.replaceAll(/\s/g, '').toUpperCase();
  const found = /^(?<country>(?:[A-Z]{2})?)(?<check>\d{2})(?<rest>\d{24})$/.exec(compact)?.groups;
  if (found === undefined) return value;
  const { country = '', check = '', rest = '' } = found;
  // In the check of ISO 7064, P and L are the numbers 25 and 21.
  const isPolish = country === '' && BigInt(`${rest}2521${check}`) % 97n === 1n;
  return [`${isPolish ? 'PL' : country}${check}`, ...(rest.match(/\d{4}/g) ?? [])].join(' ');
};

const shownDate = (value: MetadataValue, write: (date: DateValue) => string): ShownValue => {
  if (typeof value === 'boolean') return { look: 'text', text: String(value) };
  return isIndefinite(value) ? { look: 'indefinite', text: t('date.indefinite') } : { look: 'mono', text: write(value) };
};
