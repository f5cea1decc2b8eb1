import { createDayOf, type DocumentQuery, type DocumentRow } from '@pergamin/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { organisationTimeZone } from '#platform/brand.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { whenIdle } from '#platform/when-idle.ts';
import type { ListPlan } from './list-plan.ts';
import { windowRows } from './list-rules.ts';
import { ownDocuments } from './list-source.ts';

export interface Unread {
  readonly count: number;
  /** The day by which the oldest of them is found in its list. */
  readonly since: string | undefined;
}

/**
 * How many documents of a list are unread, whatever their age; undefined until it is known. Asked for when the page has time; asked again, for tiles that take the place of others, once what they made room for is there.
 */
export function useUnread({ criteria, dateKey }: Pick<ListPlan, 'criteria' | 'dateKey'>): Unread | undefined {
  const { statementMarker } = useMetadata();
  const queries = useQueryClient();
  const query: DocumentQuery = {
    text: null,
    criteria: { metadata: [...criteria(statementMarker ?? '')], period: null, unread: true },
    // The oldest first: the list is to reach back to it.
    sort: [{ by: 'PUBLICATION_DATE', order: 'asc' }],
    page: 0,
    size: windowRows,
  };
  const asking = queryOptions({ queryKey: [ownDocuments.name, query], queryFn: ({ signal }) => ownDocuments.list(query, signal) });
  const idle = useIdle(queries.getQueryData(asking.queryKey) !== undefined);
  const { data } = useQuery({ ...asking, enabled: idle && statementMarker !== undefined });
  return useMemo(() => data && { count: data.total, since: data.items.map((row) => dayOf(row, dateKey)).toSorted()[0] }, [data, dateKey]);
}

/** A document without the list's own date counts by the day of its publication (D13). */
const dayOf = ({ metadata }: DocumentRow, dateKey: string): string => {
  const own = metadata[dateKey];
  return typeof own === 'string' && own !== '' ? own : createDayOf(organisationTimeZone())(Number(metadata['PUBLICATION_DATE'] ?? 0));
};

const atLatestMs = 3_000;

/** A window that is opening pauses for its answers. */
const openingMs = 1_000;

/** Whether the page has been idle once. */
function useIdle(isKnown: boolean): boolean {
  const [idle, setIdle] = useState(false);
  const [restMs] = useState(isKnown ? openingMs : 0);
  useEffect(() => {
    let stop: (() => void) | undefined;
    const begin = (): void => void (stop = whenIdle(() => setIdle(true), atLatestMs));
    const timer = setTimeout(begin, restMs);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [restMs]);
  return idle;
}
