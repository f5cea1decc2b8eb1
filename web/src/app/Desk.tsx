import { statuteLimits, type UserInfo } from '@pergamin/contract';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { createDesktop } from '#desktop/desktop.store.ts';
import { Desktop } from '#desktop/Desktop.tsx';
import { Tiles } from '#desktop/Tiles.tsx';
import { ProgressLabel } from '#kit/Spinner.tsx';
import { on } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { DeskToolbar } from './DeskToolbar.tsx';
import { desktopTexts } from './desktop-texts.ts';
import { logOut } from './log-out.ts';
import { deskTiles, Overview } from './Overview.tsx';
import { SkipLink } from './SkipLink.tsx';
import { useDeepLinks } from './useDeepLinks.ts';
import { useDocumentTitle } from './useDocumentTitle.ts';
import { DeskActionsContext, windowCatalogue, type DeskActions } from './window-catalogue.tsx';
import css from './Workspace.module.css';

const LanguageDialog = lazy(async () => ({ default: (await import('./LanguageDialog.tsx')).LanguageDialog }));
const PasswordDialog = lazy(async () => ({ default: (await import('#features/password/PasswordDialog.tsx')).PasswordDialog }));
const AppearanceDialog = lazy(async () => ({ default: (await import('./AppearanceDialog.tsx')).AppearanceDialog }));

interface DeskProps {
  readonly user: UserInfo;
  /** The statute must be accepted first: no menus, no documents, only its window (C1). */
  readonly blocked: boolean;
  /** It takes the place of the desk whose statute had the focus. */
  readonly takesFocus: boolean;
  readonly onStatuteAccepted: () => void;
}

/** The signed-in desk: toolbar, tiles, windows, dialogs. */
export function Desk({ user, blocked, takesFocus, onStatuteAccepted }: DeskProps) {
  const [desktop] = useState(() =>
    createDesktop({ catalogue: windowCatalogue(), ...(blocked ? {} : { keep: { storage: sessionStorage, user: user.personalId } }) }),
  );
  const [texts] = useState(desktopTexts);
  const [leaving, setLeaving] = useState(false);
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'language' | 'appearance' | 'changePassword' | 'resetPassword'>();
  const closeDialog = () => setDialog(undefined);
  useDocumentTitle(desktop);
  useDeepLinks(desktop, !blocked);

  useEffect(() => {
    if (takesFocus && !blocked && document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-desk-start]')?.focus({ preventScroll: true });
  }, [takesFocus, blocked]);
  useEffect(() => {
    if (!blocked) return undefined;
    const timer = setTimeout(() => desktop.open('statute'), statuteLimits.shownAfterMs);
    return () => clearTimeout(timer);
  }, [blocked, desktop]);
  // Somebody else has signed in: the windows of this person are closed before the page is loaded anew for the other one (B17).
  useEffect(() => on('personChanged', desktop.forget), [desktop]);

  const actions = useMemo<DeskActions>(
    () => ({
      onStatuteAccepted: () => void desktop.close('statute').then(onStatuteAccepted),
      onLogout: () => {
        // What is still being fetched ends first: an answer to it would only say that the session is over.
        setLeaving(true);
        void queries
          .cancelQueries()
          .then(logOut)
          .then((to) => {
            desktop.forget();
            // A page of its own: nothing of this customer stays in memory.
            location.replace(to);
          });
      },
      onLanguage: () => setDialog('language'),
    }),
    [desktop, onStatuteAccepted, queries],
  );
  const open = (kind: string) => desktop.open(kind);
  if (leaving) return <Leaving />;
  return (
    <DeskActionsContext value={actions}>
      <SkipLink />
      <Desktop
        desktop={desktop}
        texts={texts}
        toolbar={
          <DeskToolbar
            user={user}
            desktop={desktop}
            empty={blocked}
            onOpen={open}
            onLanguage={actions.onLanguage}
            onAppearance={() => setDialog('appearance')}
            onPassword={(wanted) => setDialog(wanted === 'change' ? 'changePassword' : 'resetPassword')}
            onLogout={actions.onLogout}
          />
        }
        tiles={blocked ? null : <Tiles label={t('dashboard.tiles')} items={deskTiles()} look="column" onOpen={open} />}
        dashboard={blocked ? null : <Overview />}
      />
      <Suspense>
        {dialog === 'language' && <LanguageDialog onClose={closeDialog} />}
        {dialog === 'changePassword' && <PasswordDialog wanted="change" user={user} onClose={closeDialog} />}
        {dialog === 'resetPassword' && <PasswordDialog wanted="reset" user={user} onClose={closeDialog} />}
        {dialog === 'appearance' && <AppearanceDialog onClose={closeDialog} />}
      </Suspense>
    </DeskActionsContext>
  );
}

function Leaving() {
  return (
    <main className={css['opening']}>
      <ProgressLabel text={t('session.leaving')} />
    </main>
  );
}
