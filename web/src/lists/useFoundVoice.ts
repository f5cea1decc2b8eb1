import { useEffect, useRef } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';

/** Says how much a search found, when another `sought` had been heard of before: a screen reader's user hears of rows that are not in sight. */
export function useFoundVoice(total: number | undefined, sought: readonly unknown[]): void {
  const heard = useRef(sought);
  useEffect(() => {
    if (total === undefined || sought.every((part, index) => part === heard.current[index])) return;
    heard.current = sought;
    announce(t('list.found', { count: total }));
  }, [total, sought]);
}
