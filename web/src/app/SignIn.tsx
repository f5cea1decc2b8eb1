import { useLocation, useSearchParams } from 'wouter';
import { failureSentence } from '#features/sign-in/failure-sentence.ts';
import { NotFoundPage } from '#features/sign-in/NotFoundPage.tsx';
import { PublicPage } from '#features/sign-in/PublicPage.tsx';
import { SignInPage } from '#features/sign-in/SignInPage.tsx';
import { SignInReturnPage } from '#features/sign-in/SignInReturnPage.tsx';

const leaveFor = (url: string) => location.assign(url);

/** Every page before the sign-in. */
export function SignIn({ page }: { readonly page: 'id' | 'public' | 'return' | 'unknown' }) {
  const [, navigate] = useLocation();
  const [search] = useSearchParams();
  if (page === 'id') return <SignInPage failure={failureSentence(search.get('error'))} leaveFor={leaveFor} />;
  if (page === 'public') return <PublicPage onLogIn={() => navigate('/login-ex')} />;
  if (page === 'unknown') return <NotFoundPage onBack={() => navigate('/')} />;
  return (
    <SignInReturnPage
      onSignedIn={() => navigate('/', { replace: true })}
      onRefused={() => navigate('/login-ex?error=auth', { replace: true })}
      onBack={() => navigate('/login-ex', { replace: true })}
      leaveFor={leaveFor}
    />
  );
}
