/** `system` follows the device. */
export type Theme = 'light' | 'dark' | 'system';

export const themes: readonly Theme[] = ['light', 'dark', 'system'];

const cookieName = 'theme';
const cookieLifetimeS = 365 * 24 * 60 * 60;

/**
 * The customer's choice. Kept in a cookie: local storage holds nothing but the statute flag (B18), session storage would forget it with
 * the tab, and pages that the server writes can follow a cookie without a script.
 */
export const currentTheme = (): Theme => {
  const stored = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${cookieName}=`));
  return themes.find((theme) => stored === `${cookieName}=${theme}`) ?? 'system';
};

export const chooseTheme = (theme: Theme): void => {
  const age = theme === 'system' ? 0 : cookieLifetimeS;
  // The Cookie Store API is missing in browsers that we support, and this value is no secret.
  document.cookie = `${cookieName}=${theme}; Path=/; Max-Age=${age}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`;
  applyTheme(theme);
};

/** Puts the choice on the root element; called before the first render. */
export const applyTheme = (theme: Theme = currentTheme()): void => {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
};
