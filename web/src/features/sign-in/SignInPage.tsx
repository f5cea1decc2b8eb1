import {
  findSignInService,
  listSignInOptions,
  pathOf,
  personalIdPattern,
  signInLimits,
  type SignInOption,
  startSignIn,
} from '@pergamin/contract';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { call } from '#platform/api.ts';
import { findSignedIn } from '#platform/cross-tab.ts';
import { currentLanguage, t, type TranslationKey } from '#platform/language.ts';
import { takeLastError } from '#platform/last-error.ts';
import { currentToken } from '#platform/session-token.ts';
import { CardPage } from './CardPage.tsx';
import { repeatEarlyPress } from './early-press.ts';
import { ExtraButtons } from './ExtraButtons.tsx';
import css from './SignInPage.module.css';
import { newVerifier, stateFor } from './sign-in-state.ts';

interface SignInPageProps {
  /** `/login-ex?error=…`: what led here. */
  readonly error: string | null;
  readonly leaveFor: (url: string) => void;
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
  const { phase, submit, edit, goBack } = useSignIn(leaveFor);
  const [options, setOptions] = useState<readonly SignInOption[]>([]);
  const signedIn = useRunningSession(onGoOn, goBack);
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
    if (phase === 'refused') field.current?.focus();
  }, [error, phase]);
  // None where they cannot be asked for: the personal id always works, and what failed unseen is no news for the next page.
  useEffect(() => void call(listSignInOptions, {}).then(setOptions, () => void takeLastError()), []);

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

/** `arrived`: nothing was typed yet; `leaving`: asking, or already on the way to the service. */
type Phase = 'arrived' | 'idle' | 'leaving' | 'refused';

/** From a personal id to the identity service (B1, B2, A15). `leaveFor` sends the browser to an address of the server. */
function useSignIn(leaveFor: (url: string) => void) {
  const [phase, setPhase] = useState<Phase>('arrived');
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
  const goBack = () => setPhase((left) => (left === 'leaving' ? 'idle' : left));
  return { phase, submit, edit: () => setPhase('idle'), goBack };
}

const addressFor = async (personalId: string): Promise<string> => {
  await call(findSignInService, { params: { personalId } });
  const state = await stateFor(newVerifier());
  return pathOf(startSignIn, { params: { personalId }, query: { state, lang: currentLanguage() } });
};

/**
 * Answers the personal id of a session that runs in this browser. `goOn` is called when Back has led from the workspace of this very tab to the
 * sign-in page, `onRestored` when the browser shows the page again as it was left.
 */
function useRunningSession(goOn: () => void, onRestored: () => void): string | undefined {
  const [personalId, setPersonalId] = useState<string>();
  const handleShow = useEffectEvent((cameBack: boolean) => {
    if (cameBack && currentToken() !== undefined) goOn();
    else void findSignedIn().then(setPersonalId);
  });
  const restore = useEffectEvent(onRestored);
  useEffect(() => {
    handleShow(arrivedByBack());
    const handlePageShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      restore();
      handleShow(true);
    };
    addEventListener('pageshow', handlePageShow);
    return () => removeEventListener('pageshow', handlePageShow);
  }, []);
  return personalId;
}

const arrivedByBack = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'back_forward');
