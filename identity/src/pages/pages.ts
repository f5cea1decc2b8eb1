import { readAssets, type Assets } from './assets.ts';
import type { PageContext } from './layout.ts';
import { type Notice, noticePage } from './notice-page.ts';
import { type Problem, signInPage } from './sign-in-page.ts';
import { type Language, readTexts } from './texts.ts';

export interface Pages {
  readonly assets: Assets;
  signIn(language: Language, page: { personalId: string | undefined; uid: string; problem: Problem | undefined }): string;
  notice(language: Language, notice: Notice): string;
}

export const createPages = ({
  organisationName,
  https,
  signInUrl,
}: {
  organisationName: string;
  https: boolean;
  signInUrl: string;
}): Pages => {
  const assets = readAssets();
  const texts = { pl: readTexts('pl'), en: readTexts('en') };
  const contextOf = (language: Language): PageContext => ({ language, texts: texts[language], assets, organisationName, https });
  return {
    assets,
    signIn: (language, page) => signInPage(contextOf(language), { ...page, signInUrl }),
    notice: (language, notice) => noticePage(contextOf(language), { notice, signInUrl }),
  };
};
