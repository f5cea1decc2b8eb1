import { listDictionaries, mapOwnMetadata } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, type ResultOf } from './api.ts';
import { createMetadataTexts, type MetadataTexts } from './metadata.ts';

export interface OwnMetadata {
  /** Keys by themselves and values as they were written, until the definitions are there. */
  readonly texts: MetadataTexts;
  /** The key that tells statements from other documents (D5); undefined until it is known. */
  readonly statementMarker: string | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

type MappedMetadata = ResultOf<typeof mapOwnMetadata>;

const none = { definitions: [], dictionaries: [] } as const;

/** What the values of documents mean: fetched once, kept for the session. */
export function useMetadata(): OwnMetadata {
  const definitions = useQuery<MappedMetadata>({
    queryKey: [mapOwnMetadata.name],
    queryFn: ({ signal }) => call(mapOwnMetadata, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const dictionaries = useQuery({
    queryKey: [listDictionaries.name],
    queryFn: ({ signal }) => call(listDictionaries, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const texts = useMemo(
    () =>
      createMetadataTexts({
        definitions: definitions.data?.items ?? none.definitions,
        dictionaries: dictionaries.data?.items ?? none.dictionaries,
      }),
    [definitions.data, dictionaries.data],
  );
  return {
    texts,
    statementMarker: definitions.data?.statementMarker,
    error: definitions.error ?? dictionaries.error,
    retry: () => {
      if (definitions.isError) void definitions.refetch();
      if (dictionaries.isError) void dictionaries.refetch();
    },
  };
}
