import { readAssets, type Assets } from './assets.ts';
import { forgotPage, type ForgotProblem } from './forgot-page.ts';
import type { PageContext } from './layout.ts';
import { type Notice, noticePage } from './notice-page.ts';
import { setPasswordPage, type SetPasswordEntry } from './set-password-page.ts';
import { type Problem, signInPage } from './sign-in-page.ts';
import type { Brand, Catalogues } from '../parts.ts';
import { createLanguages, type Languages } from './languages.ts';
import { type Language, readTexts } from './texts.ts';

export interface Pages {
  readonly assets: Assets;
  readonly languages: Languages;
  signIn(language: Language, page: { personalId: string | undefined; uid: string; problem: Problem | undefined }): string;
  forgot(language: Language, page: { problem: ForgotProblem | undefined }): string;
  setPassword(language: Language, page: SetPasswordEntry): string;
  notice(language: Language, notice: Notice): string;
}

export const createPages = ({
  texts: catalogues,
  brand,
  organisationName,
  https,
  signInUrl,
  passwordMaxLength,
}: {
  texts: Catalogues;
  brand?: Brand | undefined;
  organisationName: string;
  https: boolean;
  signInUrl: string;
  passwordMaxLength: number;
}): Pages => {
  const assets = readAssets(brand);
  const languages = createLanguages(brand?.languages);
  const texts = new Map(languages.offered.map(({ tag }) => [tag, readTexts(catalogues, tag)]));
  const house = readTexts(catalogues, 'pl');
  const contextOf = (language: Language): PageContext => ({
    language,
    languages,
    texts: texts.get(language) ?? house,
    assets,
    organisationName,
    https,
  });
  return {
    assets,
    languages,
    signIn: (language, page) => signInPage(contextOf(language), { ...page, signInUrl }),
    forgot: (language, page) => forgotPage(contextOf(language), { ...page, signInUrl }),
    setPassword: (language, page) => setPasswordPage(contextOf(language), { ...page, maxLength: passwordMaxLength }),
    notice: (language, notice) => noticePage(contextOf(language), { notice, signInUrl }),
  };
};
