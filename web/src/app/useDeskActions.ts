import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Desktop } from '#desktop/desktop.store.ts';
import { mayLeave } from '#platform/unsent-work.ts';
import { type DialogName, dialogNames } from './DeskDialogs.tsx';
import { logOut } from './log-out.ts';

interface DeskActionsOptions {
  readonly desktop: Desktop;
  readonly onDialog: (name: DialogName) => void;
  readonly onLeaving: (isLeaving: true) => void;
  readonly onStatuteAccepted: () => void;
}

/** What every menu and key does, by its id; any other id is a kind of window, which is opened. */
export function useDeskActions({ desktop, onDialog, onLeaving, onStatuteAccepted }: DeskActionsOptions): (id: string) => void {
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
