import type { Dictionary, MetadataDefinition, MetadataMap } from '@pergamin/contract';
import { aliases, readers, type MetadataRow } from './metadata-columns.ts';

/** `id` is the key of the metadata map. */
export interface Definition extends MetadataDefinition {
  /** yes: sent; own: the reader's own value only; server: not sent, allowed in criteria; no: publishers only. */
  readonly visible: 'yes' | 'own' | 'no' | 'server';
}

/** Whose numbers count as own. */
export interface MetadataReader {
  readonly cif: string;
  readonly cif2: string | null;
}

/** All definitions and dictionaries at one moment. */
export type MetadataDefinitions = ReturnType<typeof createDefinitions>;

interface Rows {
  readonly all: readonly Definition[];
  readonly dictionaries: readonly Dictionary[];
  readonly markerKey: string;
}

export const isShown = ({ visible }: Definition): boolean => visible === 'yes' || visible === 'own';

/** Values of before were kept as they came. */
const composed = <Value>(value: Value): Value | string => (typeof value === 'string' ? value.normalize('NFC') : value);

export const createDefinitions = ({ all, dictionaries, markerKey }: Rows) => {
  const byKey = new Map<string, Definition>();
  for (const definition of all) {
    byKey.set(definition.id, definition);
    if (definition.number !== null) byKey.set(String(definition.number), definition);
  }
  for (const [alias, id] of aliases) {
    const definition = byKey.get(id);
    if (definition !== undefined && !byKey.has(alias)) byKey.set(alias, definition);
  }
  const dictionariesById = new Map(dictionaries.map((dictionary) => [dictionary.id, dictionary]));

  const shown = all.filter(isShown);
  const columns = shown.flatMap(({ id }) => {
    const read = readers.get(id);
    return read === undefined ? [] : [{ id, read }];
  });
  // 'own' has a meaning only for the owners' columns: an own value in meta would have no known owner.
  const rest = new Set(shown.filter(({ id, visible }) => visible === 'yes' && !readers.has(id)).map(({ id }) => id));
  const dates = new Set(all.filter(({ type }) => type === 'DATE' || type === 'SIMPLE_DATE').map(({ id }) => id));

  return {
    /** In definition order: that of the rows in the details panel. */
    all,
    dictionaries,
    /** Key of the statement marker (D5), as the installation names it. */
    markerKey,
    /** By id, number, or operator name (PUBLISHED, PUBLIC). */
    find: (key: string): Definition | undefined => byKey.get(key),
    /** The same among those whose values a client is shown, if only their own. */
    findShown(key: string): Definition | undefined {
      const definition = byKey.get(key);
      return definition !== undefined && isShown(definition) ? definition : undefined;
    },
    /** Undefined when the definition has no dictionary: any option is good then. */
    findDictionary: ({ dictionary }: Definition): Dictionary | undefined =>
      dictionary === null ? undefined : dictionariesById.get(dictionary),
    /** What the reader may see of a document, by key; an indefinite date is −1. Cheap: called for every row of every list. */
    toMap(row: MetadataRow, reader: MetadataReader): MetadataMap {
      const map: MetadataMap = {};
      for (const { id, read } of columns) {
        const value = read(row, reader);
        if (value !== null) map[id] = composed(value);
      }
      const { meta } = row;
      for (const id in meta) {
        const value = meta[id];
        if (value !== undefined && rest.has(id)) map[id] = value === 'infinity' && dates.has(id) ? -1 : composed(value);
      }
      return map;
    },
  };
};
