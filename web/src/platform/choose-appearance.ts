import { type Appearance, type AppearanceChoice, appearances, applyAppearance } from './appearance.ts';

const cookieLifetimeS = 365 * 24 * 60 * 60;

/** Applies at once and is kept in a cookie for a year; the usual choice removes the cookie. */
export const chooseAppearance = <A extends Appearance>(of: A, choice: AppearanceChoice<A>): void => {
  keep(of, choice, choice === appearances[of][0] ? 0 : cookieLifetimeS);
  applyAppearance();
};

/** Whether something was offered on this device already: it is offered once. */
export const isOffered = (what: 'beside'): boolean => document.cookie.split('; ').includes(`offered=${what}`);
export const noteOffered = (what: 'beside'): void => keep('offered', what, cookieLifetimeS);

/** Whether this browser has explained the seal already: it is explained once. */
export const isSealExplained = (): boolean => document.cookie.split('; ').includes('explained=seal');
export const noteSealExplained = (): void => keep('explained', 'seal', cookieLifetimeS);

const keep = (name: string, value: string, ageS: number): void => {
  // The Cookie Store API is missing in browsers that we support, and these values are no secrets.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${ageS}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
};
