import { sessionLimits } from '@pergamin/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { findLaterEnd } from '#platform/cross-tab.ts';
import { keepError } from '#platform/last-error.ts';
import { clearSession, sessionLeftMs } from '#platform/session-token.ts';

/**
 * The whole seconds that are left, once they are few enough to be shown (B7). At the end everything of the session is cleared, then `onEnd` is
 * called (B16), unless another tab knows of a later end. Use it only once an answer has told how far the clock of this machine is off.
 */
export function useSessionClock(onEnd: () => void): number | undefined {
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    let ending = false;
    let gone = false;
    const endUnlessProlonged = async () => {
      ending = true;
      const prolonged = await findLaterEnd();
      ending = false;
      // The code that cleared the session also tells the customer.
      if (gone || prolonged || sessionLeftMs() === undefined) return;
      clearSession();
      keepError('Session ended');
      end();
    };
    const check = () => {
      const left = sessionLeftMs();
      setSecondsLeft(left === undefined || left > sessionLimits.warningBeforeEndMs ? undefined : Math.max(0, Math.ceil(left / 1_000)));
      if (left !== undefined && left <= 0 && !ending) void endUnlessProlonged();
    };
    const timer = setInterval(check, sessionLimits.warningCheckEveryMs);
    check();
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, []);
  return secondsLeft;
}
