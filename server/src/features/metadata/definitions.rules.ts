import type { DefinitionRecord } from '@pergamin/contract';
import { invalidField } from '#platform/http/errors.ts';
import { aliases, readers, writableColumns } from './metadata-columns.ts';
import type { Definition } from './metadata-definitions.ts';

/** A key whose values a publisher writes. The portal itself sets the others, and knows what they mean. */
export const isOfPublishers = ({ id, system, visible }: Definition, markerKey: string): boolean =>
  !system && (visible === 'yes' || visible === 'no') && id !== markerKey;

/** What the product reads by its key: its type and the like are part of the product. */
const isOfProduct = (id: string): boolean => writableColumns.has(id) || readers.has(id);

const isOwnScreen = (screen: string): screen is 'D' | 'I' | 'V' => ['D', 'I', 'V'].includes(screen);

export const recordOf = ({
  id,
  name,
  description,
  type,
  required,
  removed,
  visible,
  dictionary,
  screens,
}: Definition): DefinitionRecord => ({
  id,
  name,
  description,
  type,
  required,
  removed,
  visible: visible === 'yes',
  dictionary,
  screens: screens.filter(isOwnScreen),
});

interface Judged {
  readonly before: Definition | undefined;
  readonly markerKey: string;
  readonly dictionaries: ReadonlySet<string>;
}

const newDefinition = ({ id, name, type, visible }: DefinitionRecord): Definition => ({
  id,
  number: null,
  name,
  description: null,
  type,
  required: false,
  system: false,
  final: false,
  removed: false,
  visible: visible === false ? 'no' : 'yes',
  dictionary: null,
  screens: [],
});

const assertFits = ({ id, type, dictionary, required, removed }: DefinitionRecord, { before, markerKey, dictionaries }: Judged): void => {
  if (before === undefined ? /^\d/.test(id) || aliases.has(id) || id === markerKey : !isOfPublishers(before, markerKey))
    throw invalidField('id', 'a key of the portal itself');
  if (dictionary !== undefined && dictionary !== null) {
    if (type !== 'KEY_NAME') throw invalidField('dictionary', 'only for KEY_NAME');
    if (!dictionaries.has(dictionary)) throw invalidField('dictionary', 'there is no such dictionary');
  }
  if (id === 'FILE_NAME' && (required === false || removed === true)) throw invalidField('id', 'every document has a name');
};

/** The definition with what the record says. Throws VALIDATION_ERROR naming the field. */
export const definitionAfter = (record: DefinitionRecord, judged: Judged): Definition => {
  assertFits(record, judged);
  const before = judged.before ?? newDefinition(record);
  // Screens of lists are the product's own.
  const ofLists = before.screens.filter((screen) => !isOwnScreen(screen));
  return {
    ...before,
    name: record.name,
    type: record.type,
    description: record.description === undefined ? before.description : record.description,
    required: record.required ?? before.required,
    removed: record.removed ?? before.removed,
    visible: record.visible === undefined ? before.visible : record.visible ? 'yes' : 'no',
    dictionary: record.type !== 'KEY_NAME' ? null : record.dictionary === undefined ? before.dictionary : record.dictionary,
    screens: record.screens === undefined ? before.screens : [...ofLists, ...record.screens],
  };
};

/** In what they differ, by the names of the contract. */
export const changedFields = (before: Definition, after: Definition): string[] => {
  const [one, other] = [recordOf(before), recordOf(after)];
  const fields = ['name', 'description', 'type', 'required', 'removed', 'visible', 'dictionary', 'screens'] as const;
  return fields.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
};

/** Values that documents carry were judged by these, and the free-text search holds what was visible when it was written. */
const fixedOnceCarried = new Set(['type', 'visible', 'dictionary']);

export const findFixed = (id: string, fields: readonly string[]): { readonly field: string; readonly always: boolean } | undefined => {
  const field = fields.find((name) => fixedOnceCarried.has(name));
  return field === undefined ? undefined : { field, always: isOfProduct(id) };
};
