import { lazy, Suspense } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { failureSentence } from '#features/sign-in/failure-sentence.ts';
import { NotFoundPage } from '#features/sign-in/NotFoundPage.tsx';
import { PublicLoading, PublicPage } from '#features/sign-in/PublicPage.tsx';
import { SignInPage } from '#features/sign-in/SignInPage.tsx';
import { SignInReturnPage } from '#features/sign-in/SignInReturnPage.tsx';

const SingleSignOnPage = lazy(async () => ({ default: (await import('#features/sign-in/SingleSignOnPage.tsx')).SingleSignOnPage }));
const PublicView = lazy(async () => ({ default: (await import('./PublicView.tsx')).PublicView }));
const AccessibilityPage = lazy(async () => ({ default: (await import('./AccessibilityPage.tsx')).AccessibilityPage }));
const VerifyPage = lazy(async () => ({ default: (await import('./VerifyPage.tsx')).VerifyPage }));
const leaveFor = (url: string) => location.assign(url);

/** Every page before the sign-in. */
export function SignIn({ page }: { readonly page: 'id' | 'public' | 'verify' | 'accessibility' | 'return' | 'sso' | 'unknown' }) {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const goTo = (path: string) => navigate(path, { replace: true });
  if (page === 'id') return <SignInPage failure={failureSentence(search.get('error'))} leaveFor={leaveFor} onGoOn={() => goTo('/')} />;
  if (page === 'public')
    return (
      <PublicPage onLogIn={() => navigate('/login-ex')}>
        <Suspense fallback={<PublicLoading />}>
          <PublicView />
        </Suspense>
      </PublicPage>
    );
  if (page === 'accessibility') return <AccessibilityPage onBack={() => navigate('/')} />;
  if (page === 'verify') return <VerifyPage />;
  if (page === 'unknown') return <NotFoundPage onBack={() => navigate('/')} />;
  if (page === 'sso') return <SingleSignOnPage onSignedIn={() => goTo('/')} onLeave={goTo} />;
  return (
    <SignInReturnPage
      onSignedIn={() => goTo('/')}
      onRefused={() => goTo('/login-ex?error=auth')}
      onBack={() => goTo('/login-ex')}
      leaveFor={leaveFor}
    />
  );
}
