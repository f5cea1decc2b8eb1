import type { LanguageCode, MetadataValue } from '@pergamin/contract';
import type { Definition, MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import type { LocalTime } from '#platform/clock/local-time.ts';
import { asText } from '#platform/csv/csv.ts';

/** Metadata have names in Polish and English; a language that an installation added shows the English ones. */
export const nameIn = (language: LanguageCode, name: { readonly pl: string; readonly en: string }): string =>
  language === 'PL' ? name.pl : name.en;

interface Words {
  readonly language: LanguageCode;
  readonly sentences: Readonly<Record<string, string>>;
  readonly definitions: MetadataDefinitions;
  readonly localTime: LocalTime;
}

const accountNumberKey = 'ACCOUNT_NUMBER';

/** In groups, as screens show it: a spreadsheet takes 26 digits in one piece for a number, and rounds it. */
const accountNumberText = (value: string): string => {
  const digits = value.replaceAll(/\s/g, '');
  return /^\d{26}$/.test(digits) ? digits.replace(/^(\d{2})/, '$1 ').replaceAll(/(\d{4})(?=\d)/g, '$1 ') : value;
};

/** How a cell shows a value, as the screens do in that language (E7). */
export const createCellText = ({ language, sentences, definitions, localTime }: Words) => {
  const say = (key: string): string => sentences[key] ?? key;
  const optionNames = new Map(
    definitions.dictionaries.map(({ id, values }) => [id, new Map(values.map(({ key, name }) => [key, nameIn(language, name)]))]),
  );
  const numbers = new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 20 });

  const dateText = (type: 'DATE' | 'SIMPLE_DATE', value: MetadataValue | undefined): string => {
    if (value === undefined) return say('date.none');
    if (value === -1) return say('date.indefiniteInFull');
    if (typeof value !== 'number') return String(value);
    return type === 'DATE' ? localTime.textOf(new Date(value)) : localTime.dayOf(new Date(value));
  };

  return ({ id, type, dictionary }: Definition, value: MetadataValue | undefined): string => {
    if (type === 'DATE' || type === 'SIMPLE_DATE') return asText(dateText(type, value));
    if (value === undefined) return '';
    if (typeof value === 'number') return numbers.format(value);
    if (typeof value === 'boolean') return say(value ? 'value.yes' : 'value.no');
    if (type === 'KEY_NAME') return asText(optionNames.get(dictionary ?? '')?.get(value) ?? value);
    return asText(id === accountNumberKey ? accountNumberText(value) : value);
  };
};
