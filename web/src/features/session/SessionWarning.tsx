import { refresh, sessionLimits } from '@pergamin/contract';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { useBusy } from '#kit/hooks/useBusy.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { call } from '#platform/api.ts';
import { findLaterEnd } from '#platform/cross-tab.ts';
import { durationText, sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { keepError } from '#platform/last-error.ts';
import { clearSession, sessionLeftMs } from '#platform/session-token.ts';
import css from './SessionWarning.module.css';

/** Tells that the session is about to end and offers a longer one (B7, B16); `onEnd` is called when it has ended. */
export function SessionWarning({ onEnd }: { readonly onEnd: () => void }) {
  const secondsLeft = useSessionClock(onEnd);
  // Always there: a dialog hides what it finds outside of a top layer, also what comes later.
  return <div data-react-aria-top-layer="true">{secondsLeft !== undefined && <Snackbar secondsLeft={secondsLeft} />}</div>;
}

/** When it is said aloud: not every second. */
const spokenAtSeconds = [sessionLimits.warningBeforeEndMs / 1_000, 30];

function Snackbar({ secondsLeft }: { readonly secondsLeft: number }) {
  const [failure, setFailure] = useState<string>();
  const unsaid = useRef(spokenAtSeconds);

  useEffect(() => {
    const reached = unsaid.current.filter((seconds) => secondsLeft <= seconds);
    // At the end itself it is the end that is told.
    if (reached.length === 0 || secondsLeft === 0) return;
    unsaid.current = unsaid.current.filter((seconds) => secondsLeft > seconds);
    announce(t('session.expiresInSpoken', { time: durationText(secondsLeft * 1_000) }), 'assertive');
  }, [secondsLeft]);

  const refreshing = useBusy(() => {
    setFailure(undefined);
    return call(refresh, {}).catch((error: unknown) => setFailure(sentenceOf(error)));
  });
  return (
    <section className={css['snackbar']} aria-label={t('session.warning')} data-region="session">
      <Icon name="clock" />
      <p className={css['words']}>
        <span className={css['text']}>{t('session.expiresIn')}</span>{' '}
        <span className={css['time']} role="timer">
          {clockText(secondsLeft)}
        </span>
      </p>
      <Button icon="arrow-clockwise" busy={refreshing.busy} onClick={refreshing.start}>
        {t('session.refresh')}
      </Button>
      {failure !== undefined && (
        <p className={css['failure']} role="alert">
          <Icon name="warning-circle-fill" size="s" />
          {failure}
        </p>
      )}
    </section>
  );
}

const clockText = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/**
 * The whole seconds that are left, once they are few enough to be shown (B7). At the end everything of the session is cleared, then `onEnd` is
 * called (B16), unless another tab knows of a later end. Use it only once an answer has told how far the clock of this machine is off.
 */
function useSessionClock(onEnd: () => void): number | undefined {
  const [secondsLeft, setSecondsLeft] = useState<number>();
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    let ending = false;
    let gone = false;
    const endUnlessProlonged = async () => {
      ending = true;
      const prolonged = await findLaterEnd();
      ending = false;
      // The code that cleared the session also tells the customer.
      if (gone || prolonged || sessionLeftMs() === undefined) return;
      clearSession();
      keepError('Session ended');
      end();
    };
    const check = () => {
      const left = sessionLeftMs();
      setSecondsLeft(left === undefined || left > sessionLimits.warningBeforeEndMs ? undefined : Math.max(0, Math.ceil(left / 1_000)));
      if (left !== undefined && left <= 0 && !ending) void endUnlessProlonged();
    };
    const timer = setInterval(check, sessionLimits.warningCheckEveryMs);
    check();
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, []);
  return secondsLeft;
}
