import { listOwnDocuments, statuteLimits, type Notification, type UpcomingStatute, type UserInfo } from '@pergamin/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { createDesktop, type Desktop as DesktopStore } from '#desktop/desktop.store.ts';
import { Desktop } from '#desktop/Desktop.tsx';
import { focusedId } from '#desktop/windows.state.ts';
import { nameOf } from '#features/notifications/notifications.queries.ts';
import { LoadBoundary } from '#kit/feedback/LoadBoundary.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { currentAppearance } from '#platform/appearance.ts';
import { brand } from '#platform/brand.ts';
import { useRefreshOn } from '#platform/call.queries.ts';
import { onDemand } from '#platform/code-on-demand.ts';
import { emit, on } from '#platform/events.ts';
import { capitalize, t } from '#platform/language.ts';
import { onSessionCleared } from '#platform/session-token.ts';
import { mayLeave } from '#platform/unsent-work.ts';
import { whenIdle } from '#platform/when-idle.ts';
import { DeskDialogs, type DialogName, dialogNames } from './DeskDialogs.tsx';
import { DeskToolbar } from './DeskToolbar.tsx';
import { keepDeepLink, takeDeepLink } from './kept-deep-link.ts';
import { everyRight, noRight } from './menu.ts';
import { logOut } from './log-out.ts';
import { DeskTiles, Overview } from './Overview.tsx';
import { RegisterWatch } from './RegisterWatch.tsx';
import { useBesideOffer } from './useBesideOffer.ts';
import { DeskActionsContext, preloadLikelyWindows, windowCatalogue } from './window-catalogue.tsx';
import skipCss from './SkipLink.module.css';
import css from './Workspace.module.css';

const windowsAtLatestMs = 5_000;

// Comes once, after the terms were accepted.
const SealLesson = onDemand(async () => (await import('./SealLesson.tsx')).SealLesson);
const UpcomingStatuteNotice = onDemand(async () => (await import('#features/statute/UpcomingStatuteNotice.tsx')).UpcomingStatuteNotice);

interface DeskProps {
  readonly user: UserInfo;
  /** The statute must be accepted first: no menus, no documents, only its window (C1). */
  readonly blocked: boolean;
  /** It takes the place of the desk whose statute had the focus. */
  readonly takesFocus: boolean;
  readonly onStatuteAccepted: () => void;
  /** The terms were accepted here for the first time in this browser. */
  readonly explainsSeal: boolean;
  readonly onSealExplained: () => void;
  /** The next terms, when they are published and not accepted yet (C3). */
  readonly upcoming: UpcomingStatute | undefined;
}

export function Desk({ user, blocked, takesFocus, onStatuteAccepted, explainsSeal, onSealExplained, upcoming }: DeskProps) {
  const [desktop] = useState(() =>
    createDesktop({
      catalogue: windowCatalogue(),
      opensBeside: () => currentAppearance('arrangement') === 'beside',
      keep: blocked ? undefined : { storage: sessionStorage, user: user.personalId },
    }),
  );
  const [leaving, setLeaving] = useState(false);
  const [dialog, setDialog] = useState<DialogName>();
  const rights = blocked ? noRight : everyRight;
  const onAction = useDeskActions({ desktop, onDialog: setDialog, onLeaving: setLeaving, onStatuteAccepted });
  const hasWindows = useSyncExternalStore(desktop.subscribe, () => desktop.getState().windows.length > 0);
  useDocumentTitle(desktop);
  useDeepLinks(desktop, !blocked);
  useBesideOffer(desktop, !blocked);
  useDeskKeys(blocked || leaving ? undefined : onAction);
  // What is shown of documents is read again when the person is told of new ones.
  useRefreshOn('documentsPublished', listOwnDocuments);
  useEffect(() => {
    if (!blocked) return undefined;
    const timer = setTimeout(() => desktop.open('statute'), statuteLimits.shownAfterMs);
    return () => clearTimeout(timer);
  }, [blocked, desktop]);
  // The first window of its kind then opens as fast as the second.
  useEffect(() => (blocked ? undefined : whenIdle(() => void preloadLikelyWindows(), windowsAtLatestMs)), [blocked]);

  // Again when the explanation of the seal closes: what had the focus before it may have been drawn anew meanwhile.
  const begins = takesFocus && !blocked && (explainsSeal ? 'with the seal' : 'with the desk');
  useEffect(() => {
    if (begins !== false && document.activeElement === document.body)
      document.querySelector<HTMLElement>('[data-desk-start]')?.focus({ preventScroll: true });
  }, [begins]);
  // Another person has signed in: the windows of this one are closed before the page is loaded again (B17).
  useEffect(() => on('personChanged', desktop.forget), [desktop]);
  // However the session ends, the names of documents do not stay in this tab.
  useEffect(() => onSessionCleared(desktop.forget), [desktop]);

  if (leaving) return <Waiting text={t('session.leaving')} />;
  return (
    <DeskActionsContext value={onAction}>
      <SkipLink />
      <Desktop
        desktop={desktop}
        toolbar={
          <>
            <DeskToolbar
              user={user}
              desktop={desktop}
              rights={rights}
              onAction={onAction}
              onNotification={(notification) => openNotification(desktop, notification)}
            />
            {upcoming !== undefined && !blocked && (
              <LoadBoundary>
                <UpcomingStatuteNotice.Component upcoming={upcoming} onRead={() => void desktop.open('upcoming-statute')} />
              </LoadBoundary>
            )}
          </>
        }
        tiles={blocked ? null : <DeskTiles look="column" onOpen={onAction} />}
        dashboard={blocked ? null : <Overview />}
      />
      {!blocked && <RegisterWatch />}
      {explainsSeal && !blocked && (
        <LoadBoundary>
          <SealLesson.Component isHeld={hasWindows} onClose={onSealExplained} />
        </LoadBoundary>
      )}
      <DeskDialogs desktop={desktop} open={dialog} user={user} rights={rights} onClose={() => setDialog(undefined)} onAction={onAction} />
    </DeskActionsContext>
  );
}

interface DeskActionsOptions {
  readonly desktop: DesktopStore;
  readonly onDialog: (name: DialogName) => void;
  readonly onLeaving: (isLeaving: true) => void;
  readonly onStatuteAccepted: () => void;
}

/** What every menu and key does, by its id; any other id is a kind of window, which is opened. */
function useDeskActions({ desktop, onDialog, onLeaving, onStatuteAccepted }: DeskActionsOptions): (id: string) => void {
  const queries = useQueryClient();
  return useCallback(
    (id: string) => {
      const actions: Record<string, () => unknown> = {
        ...Object.fromEntries(dialogNames.map((name) => [name, () => onDialog(name)])),
        tidy: () => desktop.tidy(),
        'statute-accepted': () => desktop.close('statute').then(onStatuteAccepted),
        logout: async () => {
          if (!(await mayLeave())) return;
          // What is still being fetched ends first: an answer to it would only say that the session is over.
          onLeaving(true);
          await queries.cancelQueries();
          const to = await logOut();
          desktop.forget();
          // A page of its own: nothing of this customer stays in memory.
          location.replace(to);
        },
      };
      void (actions[id] ?? (() => desktop.open(id)))();
    },
    [desktop, onDialog, onLeaving, onStatuteAccepted, queries],
  );
}

/** Ctrl+K (⌘K) opens the palette, `?` the shortcuts; not in text fields, and not on top of a dialog. */
function useDeskKeys(onAction: ((id: string) => void) | undefined): void {
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (onAction === undefined || event.defaultPrevented || event.altKey || event.isComposing) return;
    const { target } = event;
    if (!(target instanceof Element) || target.closest(modal) !== null) return;
    const command = event.ctrlKey || event.metaKey;
    const id =
      command && !event.shiftKey && event.key.toLowerCase() === 'k' ? 'palette' : !command && event.key === '?' ? 'shortcuts' : undefined;
    if (id === undefined || (id === 'shortcuts' && target.closest(writing) !== null)) return;
    event.preventDefault();
    onAction(id);
  });
  useEffect(() => {
    addEventListener('keydown', handleKeyDown);
    return () => removeEventListener('keydown', handleKeyDown);
  }, []);
}

const modal = ':is([role="dialog"], [role="alertdialog"]):not([popover]), dialog, [role="menu"], [role="listbox"]';
const writing = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"])';

/** A publication leads to its document; of an account update, the value is no document (M4). */
const openNotification = (desktop: DesktopStore, notification: Notification): void => {
  const title = nameOf(notification);
  if (notification.type === 'account_update') desktop.open('account');
  else desktop.open('document', { id: notification.value, ...(title === '' ? {} : { title }) });
};

/** The whole page before there is a desk, and after. */
export function Waiting({ text }: { readonly text: string }) {
  return (
    <main className={css['opening']}>
      <ProgressLabel text={text} />
    </main>
  );
}

/** The browser's tab is named by the window in front (WCAG 2.4.2). */
function useDocumentTitle(desktop: DesktopStore): void {
  const state = useSyncExternalStore(desktop.subscribe, desktop.getState);
  const front = state.windows.find((window) => window.id === focusedId(state));
  const words = front === undefined ? t('dashboard.title') : desktop.titleOf(front);
  // A document keeps the name that its publisher gave it.
  const title = front === undefined || desktop.kindOf(front.kind).single ? capitalize(words) : words;
  useEffect(() => {
    document.title = `${title} · ${brand().name}`;
  }, [title]);
}

/** Opens the window that an address asked for, as soon as windows may be opened (A11). */
function useDeepLinks(desktop: DesktopStore, allowed: boolean): void {
  useEffect(() => {
    const follow = () => {
      keepDeepLink();
      if (!allowed) return;
      const link = takeDeepLink();
      if (link === undefined) return;
      if (link === 'unknown') emit('alert', { tone: 'info', title: t('windows.notFound') });
      else desktop.open(link.kind, link.id === undefined ? {} : { id: link.id.toLowerCase() });
    };
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [desktop, allowed]);
}

/** From the top of the page past the toolbar: to the window in front, else to the first tile. */
function SkipLink() {
  return (
    <button type="button" className={skipCss['skip']} onClick={skip}>
      {t('page.skipToContent')}
    </button>
  );
}

const skip = () => {
  const inFront = document.querySelector<HTMLElement>('[data-window][data-focused] [data-region-entry]');
  (inFront ?? document.querySelector<HTMLElement>('[data-desk-start]'))?.focus();
};
