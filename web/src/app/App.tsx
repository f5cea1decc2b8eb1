import { Suspense, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Button } from '#kit/buttons/Button.tsx';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { Boundary } from '#kit/feedback/Boundary.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { emit } from '#platform/events.ts';
import { speaksByCopy, t } from '#platform/language.ts';
import { takeLastError } from '#platform/last-error.ts';
import { Alerts } from './Alerts.tsx';
import { SignIn, Workspace } from './pages.ts';
import { signInAgainPage, useSessionEnd } from './useSessionEnd.ts';

/** The workspace or a page before it, and what every page shares: messages, live regions, the end of a session. */
export function App() {
  const [, navigate] = useLocation();
  useSessionEnd((path) => navigate(path, { replace: true }));
  const hasSessionEnded = useRef(false);
  useEffect(() => {
    const sentence = takeLastError();
    hasSessionEnded.current = sentence === 'session.noLongerActive';
    if (sentence !== undefined) emit('alert', { tone: 'error', title: t(sentence) });
    if (speaksByCopy()) emit('alert', { tone: 'info', title: t('language.keptCopy') });
  }, []);
  return (
    <>
      <Alerts />
      <Announcer />
      <Boundary fallback={brokenPage}>
        <Suspense>
          <Switch>
            <Route path="/">
              <Workspace
                onSignedOut={(to) => navigate(hasSessionEnded.current && to === '/login-ex' ? signInAgainPage : to, { replace: true })}
              />
            </Route>
            <Route component={SignIn} />
          </Switch>
        </Suspense>
      </Boundary>
    </>
  );
}

/** A page whose code could not be fetched, or that broke: loading it anew is the way on. */
const brokenPage = () => (
  <main>
    <ErrorState level={1} title={t('error.pageFailed')} action={<Button onClick={() => location.reload()}>{t('error.reload')}</Button>} />
  </main>
);
