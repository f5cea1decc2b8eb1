import { lazy, useState } from 'react';
import { Route, Switch, useLocation, useSearchParams } from 'wouter';
import { NotFoundPage } from '#features/sign-in/NotFoundPage.tsx';
import { PublicPage } from '#features/sign-in/PublicPage.tsx';
import { SignInPage } from '#features/sign-in/SignInPage.tsx';
import { SignInReturnPage } from '#features/sign-in/SignInReturnPage.tsx';

const SingleSignOnPage = lazy(async () => ({ default: (await import('#features/sign-in/SingleSignOnPage.tsx')).SingleSignOnPage }));
const PublicView = lazy(async () => ({ default: (await import('./PublicView.tsx')).PublicView }));
const AccessibilityPage = lazy(async () => ({ default: (await import('./AccessibilityPage.tsx')).AccessibilityPage }));
const VerifyPage = lazy(async () => ({ default: (await import('./VerifyPage.tsx')).VerifyPage }));
const leaveFor = (url: string) => location.assign(url);

const publicPages = /^\/(?:login|public\/(?<id>[0-9a-f-]{36}))$/i;

export function SignIn() {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const goTo = (path: string) => navigate(path, { replace: true });
  return (
    <Switch>
      <Route path="/login-ex">
        <SignInPage error={search.get('error')} leaveFor={leaveFor} onGoOn={() => goTo('/')} />
      </Route>
      {/* The list of public documents stays behind the one that is read: both addresses are shown by the same page. */}
      <Route path={publicPages}>{({ id }) => <PublicPages documentId={id?.toLowerCase()} />}</Route>
      <Route path="/accessibility">
        <AccessibilityPage onBack={() => navigate('/')} />
      </Route>
      <Route path="/verify">
        <VerifyPage />
      </Route>
      <Route path="/oauth">
        <SignInReturnPage
          onSignedIn={() => goTo('/')}
          onRefused={() => goTo('/login-ex?error=auth')}
          onBack={() => goTo('/login-ex')}
          leaveFor={leaveFor}
        />
      </Route>
      <Route path="/sso">
        <SingleSignOnPage onSignedIn={() => goTo('/')} onLeave={goTo} />
      </Route>
      <Route>
        <NotFoundPage onBack={() => navigate('/')} />
      </Route>
    </Switch>
  );
}

function PublicPages({ documentId }: { readonly documentId: string | undefined }) {
  const [, navigate] = useLocation();
  const [unknownId, setUnknownId] = useState<string>();
  if (documentId !== undefined && documentId === unknownId) return <NotFoundPage onBack={() => navigate('/')} />;
  return (
    <PublicPage isReading={documentId !== undefined} onLogIn={() => navigate('/login-ex')}>
      <PublicView documentId={documentId} onNotFound={setUnknownId} />
    </PublicPage>
  );
}
