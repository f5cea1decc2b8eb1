import type { sessionStorageKeys } from '@pergamin/contract';

const name: (typeof sessionStorageKeys)['language'] = 'lang';
const lifetimeS = 365 * 24 * 60 * 60;

/** What was chosen in this browser, also on the pages of the sign-in, which can only tell by a cookie. Session storage has what this tab speaks. */
export const findChosenLanguage = (): string | undefined => /(?:^|; )lang=([A-Z]{2,3})(?:;|$)/.exec(document.cookie)?.[1];

export const keepChosenLanguage = (language: string): void => {
  document.cookie = `${name}=${language}; Path=/; Max-Age=${lifetimeS}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
};

export const forgetChosenLanguage = (): void => {
  document.cookie = `${name}=; Path=/; Max-Age=0`;
};
