import { sessionLimits } from '@pergamin/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { t, type TranslationKey } from '#platform/language.ts';
import { type Arrival, takeArrival } from './arrival.ts';
import { CardPage } from './CardPage.tsx';
import { exchangeCode, serviceAddress } from './sign-in-state.ts';
import css from './SignInReturnPage.module.css';

interface SignInReturnPageProps {
  readonly onSignedIn: () => void;
  /** Neither a code nor a service was asked for (A12). */
  readonly onRefused: () => void;
  readonly onBack: () => void;
  readonly leaveFor: (url: string) => void;
}

/** `/oauth`: turns the code into a session, or goes on to the service that is required. */
export function SignInReturnPage({ onSignedIn, onRefused, onBack, leaveFor }: SignInReturnPageProps) {
  const [failure, setFailure] = useState<TranslationKey>();

  const complete = useEffectEvent(async (arrival: Arrival): Promise<TranslationKey | undefined> => {
    if (arrival.kind === 'service') leaveFor(await serviceAddress(arrival.serviceId));
    else if (arrival.kind !== 'code') onRefused();
    else {
      const sentence = await exchangeCode(arrival.code);
      if (sentence === undefined) onSignedIn();
      // A failure is told only after the time that the specification gives it.
      else await new Promise((resolve) => setTimeout(resolve, sessionLimits.signInErrorDelayMs));
      return sentence;
    }
    return undefined;
  });
  useEffect(() => {
    const arrival = takeArrival();
    // Taken already: the attempt is under way.
    if (arrival === undefined) return;
    void complete(arrival).then((sentence) => {
      setFailure(sentence);
      if (sentence !== undefined) announce(t(sentence), 'assertive');
    });
  }, []);

  return (
    <CardPage title={t('signIn.title')}>
      {failure === undefined ? (
        <p className={css['state']} role="status">
          <Spinner />
          {t('signIn.signingIn')}
        </p>
      ) : (
        <>
          <p className={css['failure']}>
            <Icon name="warning-circle-fill" />
            {t(failure)}
          </p>
          <Button kind="primary" size="l" wide onClick={onBack}>
            {t('signIn.goBack')}
          </Button>
        </>
      )}
    </CardPage>
  );
}
