import { lazy, Suspense, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { NotFoundPage } from '#features/sign-in/NotFoundPage.tsx';
import { PublicLoading, PublicPage } from '#features/sign-in/PublicPage.tsx';
import { SignInPage } from '#features/sign-in/SignInPage.tsx';
import { SignInReturnPage } from '#features/sign-in/SignInReturnPage.tsx';

const SingleSignOnPage = lazy(async () => ({ default: (await import('#features/sign-in/SingleSignOnPage.tsx')).SingleSignOnPage }));
const PublicView = lazy(async () => ({ default: (await import('./PublicView.tsx')).PublicView }));
const AccessibilityPage = lazy(async () => ({ default: (await import('./AccessibilityPage.tsx')).AccessibilityPage }));
const VerifyPage = lazy(async () => ({ default: (await import('./VerifyPage.tsx')).VerifyPage }));
const leaveFor = (url: string) => location.assign(url);

export interface SignInProps {
  readonly page: 'id' | 'public' | 'verify' | 'accessibility' | 'return' | 'sso' | 'unknown';
  /** The public document that the address names. */
  readonly documentId?: string | undefined;
}

/** Every page before the sign-in. */
export function SignIn({ page, documentId }: SignInProps) {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  const goTo = (path: string) => navigate(path, { replace: true });
  if (page === 'id') return <SignInPage error={search.get('error')} leaveFor={leaveFor} onGoOn={() => goTo('/')} />;
  if (page === 'public') return <PublicPages documentId={documentId} />;
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

/** `/login` and `/public/…`: the public documents, and one of them. */
function PublicPages({ documentId }: Pick<SignInProps, 'documentId'>) {
  const [, navigate] = useLocation();
  const [unknownId, setUnknownId] = useState<string>();
  if (documentId !== undefined && documentId === unknownId) return <NotFoundPage onBack={() => navigate('/')} />;
  return (
    <PublicPage isReading={documentId !== undefined} onLogIn={() => navigate('/login-ex')}>
      <Suspense fallback={<PublicLoading />}>
        <PublicView documentId={documentId} onNotFound={setUnknownId} />
      </Suspense>
    </PublicPage>
  );
}
