import { sessionLimits } from '@pergamin/contract';
import { useEffect, useEffectEvent } from 'react';
import { emit, on } from '#platform/events.ts';
import { t } from '#platform/language.ts';

const signInPaths = new Set(['/login', '/login-ex', '/oauth']);

/** B8: says that the session is over, and goes to the sign-in page unless the customer is at one by then. */
export function useSessionEnd(goToSignIn: () => void): void {
  const leave = useEffectEvent(() => {
    if (!signInPaths.has(location.pathname)) goToSignIn();
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = on('sessionEnded', ({ hadToken }) => {
      if (hadToken) emit('alert', { tone: 'error', title: t('session.noLongerActive') });
      timer ??= setTimeout(() => {
        timer = undefined;
        leave();
      }, sessionLimits.redirectAfterUnauthorisedMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
}
