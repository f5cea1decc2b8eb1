import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useMetadata } from '#platform/metadata.queries.ts';
import { receivedQuery, windowQuery } from './received.queries.ts';
import { isUnread } from './received.rules.ts';

const newestFirst = { by: 'PUBLICATION_DATE', order: 'desc' } as const;

/**
 * How many of the newest documents received are unread, at most as many as the list fetches at once; undefined until it is known. Asked for
 * when the page has time, by the very request with which the list begins: it opens filled then.
 */
export function useUnreadReceived(): number | undefined {
  const { statementMarker } = useMetadata();
  const idle = useIdle();
  const { data } = useQuery({
    ...windowQuery(receivedQuery(statementMarker ?? '', { window: 0, sort: newestFirst })),
    enabled: idle && statementMarker !== undefined,
  });
  return data?.items.filter(isUnread).length;
}

const atLatestMs = 3_000;

/** Whether the page has had nothing to do for once. */
function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in globalThis)) {
      const timer = setTimeout(() => setIdle(true), atLatestMs / 3);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(() => setIdle(true), { timeout: atLatestMs });
    return () => cancelIdleCallback(handle);
  }, []);
  return idle;
}
