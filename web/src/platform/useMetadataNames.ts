import { listDictionaries, mapOwnMetadata, type MetadataDefinition, type MetadataValue } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { currentLanguage } from './language.ts';

export interface MetadataNames {
  /** Definitions by id (the name where there is one, else the number), in definition order; empty while they load. */
  readonly definitions: ReadonlyMap<string, MetadataDefinition>;
  /** The name of a key in the language of the page; the key itself while it is not known. */
  readonly labelOf: (id: string) => string;
  /** A value as it is shown: options of a dictionary by their name, an unknown option by its raw key (P3). */
  readonly valueOf: (id: string, value: MetadataValue | undefined) => string;
}

/** Names of metadata keys and of dictionary options, fetched once a session. */
export function useMetadataNames(): MetadataNames {
  const definitions = useQuery({
    queryKey: [mapOwnMetadata.name],
    queryFn: ({ signal }) => call(mapOwnMetadata, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const dictionaries = useQuery({
    queryKey: [listDictionaries.name],
    queryFn: ({ signal }) => call(listDictionaries, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  const language = currentLanguage() === 'PL' ? 'pl' : 'en';
  const byId = new Map((definitions?.items ?? []).map((definition) => [definition.id, definition]));
  return {
    definitions: byId,
    labelOf: (id) => byId.get(id)?.name[language] ?? id,
    valueOf: (id, value) => {
      if (value === undefined) return '';
      const dictionary = dictionaries?.items.find((other) => other.id === byId.get(id)?.dictionary);
      return dictionary?.values.find((option) => option.key === value)?.name[language] ?? String(value);
    },
  };
}
