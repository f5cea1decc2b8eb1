import { sessionLimits } from '@pergamin/contract';
import { useEffect, useEffectEvent } from 'react';
import { keepError } from '#platform/last-error.ts';
import { clearSession, sessionLeftMs } from '#platform/session-token.ts';

/**
 * At the end of the session everything of it is cleared and the customer sent to the root (B7, B16). Runs only once an answer has told how
 * far the clock of this machine is off.
 */
export function useIdleEnd(answered: boolean, goToRoot: () => void): void {
  const leave = useEffectEvent(goToRoot);
  useEffect(() => {
    if (!answered) return undefined;
    const timer = setInterval(() => {
      const left = sessionLeftMs();
      if (left === undefined || left > 0) return;
      clearInterval(timer);
      clearSession();
      keepError('Session ended');
      leave();
    }, sessionLimits.warningCheckEveryMs);
    return () => clearInterval(timer);
  }, [answered]);
}
