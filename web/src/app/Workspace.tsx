import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { DeskOpening } from '#desktop/DeskOpening.tsx';
import { keepsWindows, removeLayouts } from '#desktop/layout.ts';
import { borrowSession } from '#platform/cross-tab.ts';
import { ignorePressesOnChangedControls } from '#platform/double-press.ts';
import { on } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { currentToken, onSessionCleared } from '#platform/session-token.ts';
import { Waiting } from './Desk.tsx';
import { hasDeepLink, keepDeepLink } from './kept-deep-link.ts';
import { LineNotice } from './LineNotice.tsx';
import { createQueryClient } from './query-client.ts';
import { SignedIn } from './SignedIn.tsx';

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
    return () => {
      gone = true;
    };
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
      {signedIn ? <SignedIn onSignedOut={onSignedOut} opening={<OpeningDesk />} /> : <Waiting text={t('session.loading')} />}
    </QueryClientProvider>
  );
}

/** With a session the desk is shown while its person is fetched, unless a window will cover it at once. */
function OpeningDesk() {
  const [begins] = useState(() => !hasDeepLink() && !keepsWindows(sessionStorage));
  if (!begins) return <Waiting text={t('session.loading')} />;
  return <DeskOpening greeting={t('dashboard.greeting')} lead={t('dashboard.lead')} label={t('session.loading')} />;
}
