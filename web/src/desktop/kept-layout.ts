import { type Layout, layoutKey, layoutKeyStart, readLayout, saveLayout } from './layout.ts';
import type { OpenWindow } from './windows.state.ts';

/** The layout of one person in the storage of this tab. A storage that refuses is no reason to stop: then nothing is kept. */
export interface KeptLayout {
  readonly read: (isOurs: (window: Pick<OpenWindow, 'id' | 'kind' | 'params'>) => boolean) => Layout | undefined;
  readonly save: (layout: Layout) => void;
  readonly remove: () => void;
}

export function createKeptLayout({ storage, user }: { readonly storage: Storage; readonly user: string }): KeptLayout {
  const key = layoutKey(user);
  return {
    read: (isOurs) =>
      attempt(() => {
        removeLayouts(storage, key);
        return readLayout(storage.getItem(key), isOurs);
      }),
    save: (layout) => attempt(() => storage.setItem(key, saveLayout(layout))),
    remove: () => attempt(() => storage.removeItem(key)),
  };
}

/** A layout names documents: it does not outlive the session, nor is it there for another person. `except`: the key of the layout that stays. */
export const removeLayouts = (storage: Storage, except?: string): void => {
  for (const key of Object.keys(storage)) if (key.startsWith(layoutKeyStart) && key !== except) storage.removeItem(key);
};

/** Whether windows were left in this tab: then the desk begins with them, not with its greeting. */
export const keepsWindows = (storage: Storage): boolean =>
  Object.keys(storage).some(
    (key) => key.startsWith(layoutKeyStart) && (readLayout(storage.getItem(key), () => true)?.state.order.length ?? 0) > 0,
  );

/** A full storage, or one that is switched off, throws at any call. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
