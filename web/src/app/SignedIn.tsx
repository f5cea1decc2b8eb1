import { getSelf, getStatuteInForce, setupLanguage, type LanguageCode, type StatuteInForce } from '@pergamin/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { SessionWarning } from '#features/session/SessionWarning.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { call, CallError } from '#platform/api.ts';
import { lastingCallQuery } from '#platform/call.queries.ts';
import { findChosenLanguage } from '#platform/chosen-language.ts';
import { isSealExplained } from '#platform/choose-appearance.ts';
import { alertError, sentenceOf } from '#platform/errors.ts';
import { emit, on } from '#platform/events.ts';
import { currentLanguage, speakRecorded, t } from '#platform/language.ts';
import { findStatuteFlag, storeStatuteFlag } from '#platform/statute-flag.ts';
import { Desk } from './Desk.tsx';
import css from './Workspace.module.css';

/** Who it is and whether the statute is accepted; only then the desk. */
export function SignedIn({ onSignedOut, opening }: { readonly onSignedOut: (to: string) => void; readonly opening: ReactNode }) {
  const queries = useQueryClient();
  const self = useQuery(lastingCallQuery(getSelf, {}));
  const statute = useStatuteInForce();

  const leave = useEffectEvent((error: unknown) => {
    alertError(error);
    // After a 401 the customer is told first and taken there a little later (B8).
    if (!(error instanceof CallError && error.status === 401)) onSignedOut('/login-ex');
  });
  useEffect(() => {
    if (self.error !== null) leave(self.error);
  }, [self.error]);

  const [acceptedHere, setAcceptedHere] = useState(false);
  const [explainsSeal, setExplainsSeal] = useState(false);
  const user = self.data;
  useClientLanguage(user?.language);
  const inForce = statute.data;
  useEffect(() => {
    if (user === undefined || inForce?.version === undefined || inForce.version === null || !inForce.accepted) return;
    storeStatuteFlag({ personalId: user.personalId, version: inForce.version });
  }, [user, inForce]);

  const handleAccepted = useCallback(() => {
    setAcceptedHere(true);
    setExplainsSeal(!isSealExplained());
    queries.setQueryData<StatuteInForce>([getStatuteInForce.name], (known) => known && { ...known, accepted: true });
  }, [queries]);

  if (user === undefined) return opening;
  if (inForce === undefined && statute.error !== null) {
    return (
      <main className={css['failed']}>
        <ErrorState
          title={t('statute.failed')}
          text={sentenceOf(statute.error)}
          action={<Button onClick={() => void statute.refetch()}>{t('error.tryAgain')}</Button>}
        />
      </main>
    );
  }
  if (inForce === undefined && findStatuteFlag()?.personalId !== user.personalId) return opening;
  const blocked = inForce !== undefined && inForce.id !== null && !inForce.accepted;
  // The blocked desk is one of its own: nothing that was open before may ask for documents behind the statute.
  return (
    <>
      <Desk
        key={blocked ? 'blocked' : 'free'}
        user={user}
        blocked={blocked}
        takesFocus={acceptedHere}
        onStatuteAccepted={handleAccepted}
        explainsSeal={explainsSeal}
        onSealExplained={() => setExplainsSeal(false)}
        upcoming={inForce?.upcoming?.accepted === false ? inForce.upcoming : undefined}
      />
      {/* A page of its own at the end: nothing of this customer stays in memory. */}
      <SessionWarning onEnd={() => location.replace('/')} />
    </>
  );
}

function useStatuteInForce() {
  const statute = useQuery(lastingCallQuery(getStatuteInForce, {}));
  const askAgain = useEffectEvent(async () => {
    const { data } = await statute.refetch({ cancelRefetch: false });
    // Refused for another reason than the statute: then it is an error like others.
    if (data?.accepted || data?.id === null) emit('alert', { tone: 'error', title: t('code.CALL_NOT_PERMITTED') });
  });
  useEffect(() => on('statuteRequired', () => void askAgain()), []);
  return statute;
}

/** A language chosen in this browser becomes the client's, for mail and other browsers; where none was chosen, the client's own is spoken. */
function useClientLanguage(recorded: LanguageCode | undefined): void {
  useEffect(() => {
    if (recorded === undefined) return;
    if (findChosenLanguage() === undefined) speakRecorded(recorded);
    // What cannot be kept now is kept when the workspace is opened again.
    else if (currentLanguage() !== recorded) void call(setupLanguage, { params: { language: currentLanguage() } }).catch(() => undefined);
  }, [recorded]);
}
