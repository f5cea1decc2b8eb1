import { useEffect, useRef } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';

/** Announces how much a search found, once for each `search`: the rows themselves may not be in sight. */
export function useResultAnnouncement(total: number | undefined, search: readonly unknown[]): void {
  const announced = useRef(search);
  useEffect(() => {
    if (total === undefined || search.every((part, index) => part === announced.current[index])) return;
    announced.current = search;
    announce(t('list.found', { count: total }));
  }, [total, search]);
}
