import { useEffect, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { t, type TranslationKey } from '#platform/language.ts';
import { takeArrival } from './arrival.ts';
import { Card } from './Card.tsx';
import { completeSignIn } from './complete-sign-in.ts';
import { PublicFrame } from './PublicFrame.tsx';
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

  useEffect(() => {
    const arrival = takeArrival();
    // Taken already: the attempt is under way.
    if (arrival === undefined) return;
    void completeSignIn(arrival).then((outcome) => {
      if (outcome.kind === 'signedIn') onSignedIn();
      else if (outcome.kind === 'elsewhere') leaveFor(outcome.url);
      else if (outcome.kind === 'refused') onRefused();
      else {
        setFailure(outcome.sentence);
        announce(t(outcome.sentence), 'assertive');
      }
    });
    // One arrival, one attempt: what the parent hands in later changes nothing.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return (
    <PublicFrame title={t('signIn.title')}>
      <Card title={t('signIn.title')}>
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
      </Card>
    </PublicFrame>
  );
}
