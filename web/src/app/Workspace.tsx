import { getSelf, getStatuteInForce, setupLanguage, type LanguageCode, type StatuteInForce } from '@pergamin/contract';
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { DeskOpening } from '#desktop/Dashboard.tsx';
import { keepsWindows, removeLayouts } from '#desktop/layout.ts';
import { SessionWarning } from '#features/session/SessionWarning.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { call, CallError } from '#platform/api.ts';
import { lastingCallQuery } from '#platform/call.queries.ts';
import { findChosenLanguage } from '#platform/chosen-language.ts';
import { isSealExplained } from '#platform/choose-appearance.ts';
import { borrowSession } from '#platform/cross-tab.ts';
import { ignorePressesOnChangedControls } from '#platform/double-press.ts';
import { alertError, sentenceOf } from '#platform/errors.ts';
import { emit, on } from '#platform/events.ts';
import { currentLanguage, speakRecorded, t } from '#platform/language.ts';
import { refetchFailedStyles } from '#platform/refetch-styles.ts';
import { currentToken, onSessionCleared } from '#platform/session-token.ts';
import { findStatuteFlag, storeStatuteFlag } from '#platform/statute-flag.ts';
import { Desk, Waiting } from './Desk.tsx';
import { hasDeepLink, keepDeepLink } from './kept-deep-link.ts';
import { LineNotice } from './LineNotice.tsx';
import { createQueryClient } from './query-client.ts';
import css from './Workspace.module.css';

export interface WorkspaceProps {
  /** Without a session: go to this page. */
  readonly onSignedOut: (to: string) => void;
  /** Reloads the workspace: nothing of the person before stays in memory. */
  readonly startAnew?: () => void;
}

const loadAnew = (): void => location.replace('/');

/** `/`: the workspace of the client who is signed in, in this tab or in another one of this browser (A1, B17). */
export function Workspace({ onSignedOut, startAnew = loadAnew }: WorkspaceProps) {
  const [queries] = useState(createQueryClient);
  const [signedIn, setSignedIn] = useState(() => currentToken() !== undefined);
  const leave = useEffectEvent(() => onSignedOut('/login-ex'));
  useEffect(() => ignorePressesOnChangedControls(), []);
  useEffect(() => refetchFailedStyles(), []);
  // A session that has ended before there is a desk leaves no names of documents in this tab either.
  useEffect(() => onSessionCleared(() => removeLayouts(sessionStorage)), []);

  useEffect(() => {
    keepDeepLink();
    let gone = false;
    void borrowSession().then((found) => {
      if (gone) return;
      if (found) setSignedIn(true);
      else leave();
    });
    return () => void (gone = true);
  }, []);

  const changePerson = useEffectEvent(() => {
    // The windows go at once, before the person of now is asked for anything (B17).
    setSignedIn(false);
    void queries.cancelQueries();
    queries.clear();
    startAnew();
  });
  useEffect(() => on('personChanged', () => changePerson()), []);

  return (
    <QueryClientProvider client={queries}>
      <LineNotice />
      {signedIn ? <SignedIn onSignedOut={onSignedOut} /> : <Waiting text={t('session.loading')} />}
    </QueryClientProvider>
  );
}

/** Who it is and whether the statute is accepted; only then the desk. */
function SignedIn({ onSignedOut }: Pick<WorkspaceProps, 'onSignedOut'>) {
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
    if (user !== undefined && inForce?.accepted === true && inForce.version !== null)
      storeStatuteFlag({ personalId: user.personalId, version: inForce.version });
  }, [user, inForce]);

  const handleAccepted = useCallback(() => {
    setAcceptedHere(true);
    setExplainsSeal(!isSealExplained());
    queries.setQueryData<StatuteInForce>([getStatuteInForce.name], (known) => known && { ...known, accepted: true });
  }, [queries]);

  if (user === undefined) return <OpeningDesk />;
  if (inForce === undefined && statute.error !== null) {
    return (
      <main className={css['failed']}>
        <ErrorState
          level={1}
          title={t('statute.failed')}
          text={sentenceOf(statute.error)}
          action={<Button onClick={() => void statute.refetch()}>{t('error.tryAgain')}</Button>}
        />
      </main>
    );
  }
  if (inForce === undefined && findStatuteFlag()?.personalId !== user.personalId) return <OpeningDesk />;
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

/** With a session the desk is shown while its person is fetched, unless a window will cover it at once. */
function OpeningDesk() {
  const [begins] = useState(() => !hasDeepLink() && !keepsWindows(sessionStorage));
  if (!begins) return <Waiting text={t('session.loading')} />;
  return <DeskOpening greeting={t('dashboard.greeting')} lead={t('dashboard.lead')} label={t('session.loading')} />;
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
