import { useEffect, useEffectEvent, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { emit } from '#platform/events.ts';
import { t, type TranslationKey } from '#platform/language.ts';
import { currentToken } from '#platform/session-token.ts';
import { takeArrival } from './arrival.ts';
import { Card } from './Card.tsx';
import { PublicFrame } from './PublicFrame.tsx';
import { takeVerifier } from './sign-in-state.ts';
import css from './SingleSignOnPage.module.css';
import { leaveAfterMs, signInOnce, verifyArrival, type Verified } from './single-sign-on.ts';

interface SingleSignOnPageProps {
  readonly onSignedIn: () => void;
  /** To the sign-in, or with a session back to the workspace. */
  readonly onLeave: (to: '/login-ex' | '/') => void;
}

type Phase =
  | { readonly kind: 'working' }
  | { readonly kind: 'asking'; readonly code: string; readonly name: string }
  | { readonly kind: 'failed' };

/** `/sso`: an assertion from elsewhere signs in, after a yes from the person it names (A3, B4). */
export function SingleSignOnPage({ onSignedIn, onLeave }: SingleSignOnPageProps) {
  const [phase, setPhase] = useState<Phase>({ kind: 'working' });
  const fail = (sentence: TranslationKey) => {
    setPhase({ kind: 'failed' });
    emit('alert', { tone: 'error', title: t(sentence) });
  };
  const signIn = async (code: string) => {
    setPhase({ kind: 'working' });
    const outcome = await signInOnce(code);
    if (outcome.kind === 'signedIn') onSignedIn();
    else fail(outcome.sentence);
  };
  const goOn = useEffectEvent((verified: Verified) => {
    if (verified.kind === 'failed') fail(verified.sentence);
    else if (verified.isSignedIn) void signIn(verified.code);
    else {
      setPhase({ kind: 'asking', code: verified.code, name: verified.name });
      announce(t('signIn.confirmPerson', { name: verified.name }));
    }
  });
  useEffect(() => {
    const arrival = takeArrival();
    // Taken already: the attempt is under way.
    if (arrival !== undefined) void verifyArrival(arrival).then(goOn);
  }, []);

  const leave = useEffectEvent(() => onLeave('/login-ex'));
  useEffect(() => {
    if (phase.kind !== 'failed') return undefined;
    const timer = setTimeout(leave, leaveAfterMs);
    return () => clearTimeout(timer);
  }, [phase.kind]);

  const refuse = () => {
    // After a refusal the code must be useless, as it is without its verifier.
    takeVerifier();
    onLeave(currentToken() === undefined ? '/login-ex' : '/');
  };
  return (
    <PublicFrame title={t('signIn.title')}>
      <Card title={t('signIn.title')}>
        {phase.kind === 'working' && (
          <p className={css['state']} role="status">
            <Spinner />
            {t('signIn.signingIn')}
          </p>
        )}
        {phase.kind === 'asking' && (
          <>
            <p>{t('signIn.confirmPerson', { name: phase.name })}</p>
            <div className={css['answers']}>
              <Button kind="primary" size="l" onClick={() => void signIn(phase.code)}>
                {t('signIn.continue')}
              </Button>
              <Button size="l" onClick={refuse}>
                {t('signIn.cancel')}
              </Button>
            </div>
          </>
        )}
        {phase.kind === 'failed' && (
          <Button kind="primary" size="l" wide onClick={() => onLeave('/login-ex')}>
            {t('signIn.goBack')}
          </Button>
        )}
      </Card>
    </PublicFrame>
  );
}
