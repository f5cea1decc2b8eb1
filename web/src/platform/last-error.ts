import { sessionStorageKeys } from '@pergamin/contract';
import type { TranslationKey } from './language.ts';

/** The sentences that may outlive a page, by the text that is kept in session storage. */
const kept = { 'Network Error': 'error.network', 'Session ended': 'session.noLongerActive' } as const satisfies Record<
  string,
  TranslationKey
>;
type KeptError = keyof typeof kept;

/** Shown once, after the next start of this tab (B18). */
export const keepError = (error: KeptError): void => sessionStorage.setItem(sessionStorageKeys.error, error);

/** What went wrong last, once: reading it forgets it (B18). */
export const takeLastError = (): TranslationKey | undefined => {
  const stored = sessionStorage.getItem(sessionStorageKeys.error);
  sessionStorage.removeItem(sessionStorageKeys.error);
  return stored !== null && isKept(stored) ? kept[stored] : undefined;
};

const isKept = (text: string): text is KeptError => Object.hasOwn(kept, text);
