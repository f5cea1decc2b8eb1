import { notifyManager, onlineManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { t } from '#platform/language.ts';
import { takeLastError } from '#platform/last-error.ts';
import css from './LineNotice.module.css';
import { hasNoLine } from './query-client.ts';

/** `slow`: an answer has been awaited for long; `lost`: none can come, and what was asked for is asked again by itself. */
type Line = 'good' | 'slow' | 'lost';

const slowAfterMs = 4_000;

/** Says that the line is lost or slow, for as long as it is, over everything that waits for it. */
export function LineNotice() {
  const line = useLine();
  const textId = useId();
  const before = useRef<Line>('good');
  useEffect(() => {
    const was = before.current;
    before.current = line;
    if (was === line) return;
    if (line !== 'good') announce(t(`line.${line}`));
    else if (was === 'lost') {
      announce(t('line.back'));
      // It was told already, and is no news for the next page.
      takeLastError();
    }
  }, [line]);
  if (line === 'good') return null;
  return (
    <section className={css['notice']} aria-labelledby={textId}>
      <p id={textId}>
        <Icon name={line === 'lost' ? 'wifi-slash' : 'clock'} />
        {t(`line.${line}`)}
      </p>
    </section>
  );
}

const isAwaited = ({ state }: Query): boolean => state.fetchStatus !== 'idle' && state.data === undefined;
const isFailing = ({ state }: Query): boolean => state.fetchStatus !== 'idle' && hasNoLine(state.fetchFailureReason);

function useLine(): Line {
  const queries = useQueryClient();
  const [line, setLine] = useState<Line>('good');
  useEffect(() => {
    const cache = queries.getQueryCache();
    let begunAt = new Map<Query, number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      const nowMs = performance.now();
      const active = cache.findAll({ type: 'active' });
      begunAt = new Map(active.filter(isAwaited).map((query) => [query, begunAt.get(query) ?? nowMs]));
      const longestMs = nowMs - Math.min(nowMs, ...begunAt.values());
      const isLost = !onlineManager.isOnline() || active.some(isFailing);
      const isSlow = longestMs >= slowAfterMs;
      setLine(isLost ? 'lost' : isSlow ? 'slow' : 'good');
      if (begunAt.size > 0 && !isSlow) timer = setTimeout(look, slowAfterMs - longestMs);
    };
    // The cache tells of changes in the middle of a rendering.
    const stops = [cache.subscribe(notifyManager.batchCalls(look)), onlineManager.subscribe(look), () => clearTimeout(timer)];
    look();
    return () => stops.forEach((stop) => stop());
  }, [queries]);
  return line;
}
