import { sessionLimits } from '@pergamin/contract';
import { useEffect, useEffectEvent } from 'react';
import { emit, on } from '#platform/events.ts';
import { t } from '#platform/language.ts';

const signInPage = '/login-ex';
/** The sign-in page says there why it is asked again, for as long as it is shown. */
export const signInAgainPage = `${signInPage}?error=session`;
const signInPaths = new Set(['/login', signInPage, '/oauth', '/sso', '/verify']);

/** B8, B15: says that the session is over, and goes to the sign-in page, or where a logout in another tab leads. */
export function useSessionEnd(goTo: (path: string) => void): void {
  const leave = useEffectEvent((path: string) => {
    if (!signInPaths.has(location.pathname) && !location.pathname.startsWith('/public/')) goTo(path);
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = on('sessionEnded', ({ hadToken, to }) => {
      if (hadToken) emit('alert', { tone: 'error', title: t('session.noLongerActive') });
      timer ??= setTimeout(() => {
        timer = undefined;
        leave(to ?? (hadToken ? signInAgainPage : signInPage));
      }, sessionLimits.redirectAfterUnauthorisedMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
}
