import { listDictionaries, listPublicMetadata, mapOwnMetadata, type MetadataDefinition } from '@pergamin/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { lastingCallQuery } from './call.queries.ts';
import { createMetadataTexts, type MetadataTexts } from './metadata.ts';

export interface OwnMetadata {
  /** Keys by themselves and values as they were written, until the definitions are there. */
  readonly texts: MetadataTexts;
  /** The key that tells statements from other documents (D5); undefined until it is known. */
  readonly statementMarker: string | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** What the values of documents mean: fetched once, kept for the session. */
export function useMetadata(): OwnMetadata {
  const definitions = useQuery(lastingCallQuery(mapOwnMetadata, {}));
  return useTexts(definitions, definitions.data?.statementMarker);
}

/** The same without a session: no key of public documents marks statements. */
export function usePublicMetadata(): OwnMetadata {
  const definitions = useQuery(lastingCallQuery(listPublicMetadata, {}));
  return useTexts(definitions, definitions.data === undefined ? undefined : '');
}

type Definitions = Pick<UseQueryResult<{ readonly items: readonly MetadataDefinition[] }>, 'data' | 'error' | 'isError' | 'refetch'>;

function useTexts(definitions: Definitions, statementMarker: string | undefined): OwnMetadata {
  const dictionaries = useQuery(lastingCallQuery(listDictionaries, {}));
  const texts = useMemo(
    () =>
      createMetadataTexts({
        definitions: definitions.data?.items ?? [],
        dictionaries: dictionaries.data?.items ?? [],
      }),
    [definitions.data, dictionaries.data],
  );
  return {
    texts,
    statementMarker,
    error: definitions.error ?? dictionaries.error,
    retry: () => {
      for (const query of [definitions, dictionaries]) if (query.isError) void query.refetch();
    },
  };
}
