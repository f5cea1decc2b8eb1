import { signInLimits } from '@pergamin/contract';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { t, type TranslationKey } from '#platform/language.ts';
import { CardPage } from './CardPage.tsx';
import { repeatEarlyPress } from './early-press.ts';
import { ExtraButtons } from './ExtraButtons.tsx';
import css from './SignInPage.module.css';
import { useRunningSession } from './useRunningSession.ts';
import { useSignIn } from './useSignIn.ts';
import { useSignInOptions } from './useSignInOptions.ts';

interface SignInPageProps {
  /** `/login-ex?error=…`: what led here. */
  readonly error: string | null;
  readonly leaveFor: (url: string) => void;
  /** To the workspace of the session that runs in this browser. */
  readonly onGoOn: () => void;
}

/** What is told of that (B13): the way back was refused, the identity service cannot be reached, or a session is over. */
const failures = new Map<string | null, TranslationKey>([
  ['auth', 'signIn.unexpectedError'],
  ['service', 'signIn.loginProblem'],
  ['session', 'session.noLongerActive'],
]);

/** `/login-ex`: the personal id leads to the identity service. */
export function SignInPage({ error: reason, leaveFor, onGoOn }: SignInPageProps) {
  const [personalId, setPersonalId] = useState('');
  const { phase, submit, edit } = useSignIn(leaveFor);
  const options = useSignInOptions();
  const signedIn = useRunningSession(onGoOn);
  const field = useRef<HTMLInputElement>(null);
  const failure = phase === 'refused' ? 'signIn.invalidCredentials' : phase === 'arrived' ? failures.get(reason) : undefined;
  const error = failure && t(failure);

  useLayoutEffect(() => {
    // The page that the server has drawn may be typed into before its code is here.
    setPersonalId(field.current?.value ?? '');
  }, []);
  useEffect(() => {
    // A finger would get the keyboard over half of the page before it has been seen; and who is elsewhere by now stays there.
    if (matchMedia('(pointer: fine)').matches && document.activeElement === document.body) field.current?.focus();
    repeatEarlyPress();
  }, []);
  useEffect(() => {
    if (error !== undefined) announce(error, 'assertive');
  }, [error]);
  useEffect(() => {
    if (phase === 'refused') field.current?.focus();
  }, [phase]);

  return (
    <CardPage title={t('signIn.title')} here="/login-ex" lead={t('signIn.lead')} tall={options.length > 0 || signedIn !== undefined}>
      <form
        className={css['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(field.current?.value ?? '');
        }}
      >
        <TextField
          ref={field}
          label={t('signIn.enterYourId')}
          name="username"
          size="l"
          mono
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={signInLimits.personalIdMaxLength * 2}
          value={personalId}
          error={error}
          readOnly={phase === 'leaving'}
          onChange={(event) => {
            setPersonalId(event.target.value);
            edit();
          }}
        />
        <Button type="submit" kind="primary" size="l" wide busy={phase === 'leaving'} disabled={personalId.trim() === ''}>
          {t('signIn.signIn')}
        </Button>
      </form>
      {signedIn !== undefined && (
        <div className={css['running']}>
          <p>{t('signIn.sessionRuns', { personalId: signedIn })}</p>
          <Button onClick={onGoOn}>{t('signIn.goOn')}</Button>
        </div>
      )}
      {options.length > 0 && <ExtraButtons options={options} leaveFor={leaveFor} />}
    </CardPage>
  );
}
