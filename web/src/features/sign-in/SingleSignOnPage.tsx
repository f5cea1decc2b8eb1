import { sessionLimits, verifySso } from '@pergamin/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { call } from '#platform/api.ts';
import { borrowSession } from '#platform/cross-tab.ts';
import { emit } from '#platform/events.ts';
import { t, type TranslationKey } from '#platform/language.ts';
import { currentToken, personalIdOf } from '#platform/session-token.ts';
import { clearStatuteFlag } from '#platform/statute-flag.ts';
import { type Arrival, takeArrival } from './arrival.ts';
import { CardPage } from './CardPage.tsx';
import { exchangeCode, failureOf, newVerifier, stateFor, takeVerifier } from './sign-in-state.ts';
import css from './SingleSignOnPage.module.css';

interface SingleSignOnPageProps {
  readonly onSignedIn: () => void;
  /** To the sign-in, or with a session back to the workspace. */
  readonly onLeave: (to: '/login-ex' | '/') => void;
}

/** `/sso`: an assertion from elsewhere signs in, after a yes from the person it names (A3, B4). */
export function SingleSignOnPage({ onSignedIn, onLeave }: SingleSignOnPageProps) {
  const [asked, setAsked] = useState<Verified>();
  const [hasFailed, setHasFailed] = useState(false);
  const fail = (sentence: TranslationKey) => {
    setHasFailed(true);
    emit('alert', { tone: 'error', title: t(sentence) });
  };
  const signIn = async (code: string) => {
    setAsked(undefined);
    // Only the server asks for the statute on this way (C2).
    clearStatuteFlag();
    const failure = await exchangeCode(code);
    if (failure === undefined) onSignedIn();
    else fail(failure);
  };
  const goOn = useEffectEvent((verified: Verified | TranslationKey) => {
    if (typeof verified === 'string') fail(verified);
    else if (verified.isSignedIn) void signIn(verified.code);
    else {
      setAsked(verified);
      announce(t('signIn.confirmPerson', { name: verified.name }));
    }
  });
  useEffect(() => {
    const arrival = takeArrival();
    // Taken already: the attempt is under way.
    if (arrival !== undefined) void verify(arrival).then(goOn);
  }, []);

  const leave = useEffectEvent(() => onLeave('/login-ex'));
  useEffect(() => {
    if (!hasFailed) return undefined;
    // A failure is told at once, and left this much later (B13).
    const timer = setTimeout(leave, sessionLimits.ssoErrorRedirectMs);
    return () => clearTimeout(timer);
  }, [hasFailed]);

  const refuse = () => {
    // After a refusal the code must be useless, as it is without its verifier.
    takeVerifier();
    onLeave(currentToken() === undefined ? '/login-ex' : '/');
  };
  return (
    <CardPage title={t('signIn.title')}>
      {asked === undefined && !hasFailed && (
        <p className={css['state']} role="status">
          <Spinner />
          {t('signIn.signingIn')}
        </p>
      )}
      {asked !== undefined && (
        <>
          <p>{t('signIn.confirmPerson', { name: asked.name })}</p>
          <div className={css['answers']}>
            <Button kind="primary" size="l" onClick={() => void signIn(asked.code)}>
              {t('signIn.continue')}
            </Button>
            <Button size="l" onClick={refuse}>
              {t('signIn.cancel')}
            </Button>
          </div>
        </>
      )}
      {hasFailed && (
        <Button kind="primary" size="l" wide onClick={() => onLeave('/login-ex')}>
          {t('signIn.goBack')}
        </Button>
      )}
    </CardPage>
  );
}

interface Verified {
  readonly code: string;
  readonly name: string;
  /** It is the person who is signed in here already, so there is nothing to ask. */
  readonly isSignedIn: boolean;
}

/** Exchanges the assertion for a one-time code that is bound to this tab (B4), or answers what a failure is told as. */
const verify = async (arrival: Arrival): Promise<Verified | TranslationKey> => {
  if (arrival.kind !== 'assertion') return 'signIn.unexpectedError';
  const { assertion } = arrival;
  // A session of another tab counts here.
  await borrowSession();
  const state = await stateFor(newVerifier());
  return call(verifySso, { params: { id: assertion }, query: { state } }).then(({ code, name }) => {
    const token = currentToken();
    const present = token === undefined ? undefined : personalIdOf(token);
    return { code, name, isSignedIn: present !== undefined && present === personalIdOf(assertion) };
  }, failureOf);
};
