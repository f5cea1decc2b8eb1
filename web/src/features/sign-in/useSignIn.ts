import { findSignInService, pathOf, personalIdPattern, startSignIn } from '@pergamin/contract';
import { useEffect, useState } from 'react';
import { call } from '#platform/api.ts';
import { currentLanguage } from '#platform/language.ts';
import { newVerifier, stateFor } from './sign-in-state.ts';

/** `arrived`: nothing was typed yet; `leaving`: asking, or already on the way to the service. */
type Phase = 'arrived' | 'idle' | 'leaving' | 'refused';

/** From a personal id to the identity service (B1, B2, A15). `leaveFor` sends the browser to an address of the server. */
export function useSignIn(leaveFor: (url: string) => void) {
  const [phase, setPhase] = useState<Phase>('arrived');

  useEffect(() => {
    // Coming back by the browser's own button shows the page as it was left.
    const handlePageShow = (event: PageTransitionEvent) => {
      if (event.persisted) setPhase((left) => (left === 'leaving' ? 'idle' : left));
    };
    addEventListener('pageshow', handlePageShow);
    return () => removeEventListener('pageshow', handlePageShow);
  }, []);

  const submit = (typed: string) => {
    const personalId = typed.trim();
    if (personalId === '' || phase === 'leaving') return;
    if (!personalIdPattern.test(personalId)) {
      setPhase('refused');
      return;
    }
    setPhase('leaving');
    addressFor(personalId).then(leaveFor, () => setPhase('refused'));
  };
  return { phase, submit, edit: () => setPhase('idle') };
}

const addressFor = async (personalId: string): Promise<string> => {
  await call(findSignInService, { params: { personalId } });
  const state = await stateFor(newVerifier());
  return pathOf(startSignIn, { params: { personalId }, query: { state, lang: currentLanguage() } });
};
