import { readFile } from 'node:fs/promises';
import { calls } from '@pergamin/contract';
import { brandingRoutes, versionOf } from './branding.routes.ts';
import { brandFile, readAppearance } from './folder.ts';
import { readLanguages } from './languages.ts';
import type { FreeSentences } from './sentences.rules.ts';
import { createTexts } from './texts.ts';

export { BrandingError } from './branding-error.ts';

interface Parts {
  readonly product: {
    /** The product's own catalogues: `pl.json`, `en.json`. */
    readonly languages: URL;
    readonly logo: URL;
    /** The folder that holds what is new and the accessibility statement. */
    readonly texts: URL;
    readonly tokens: URL;
  };
  /** The installation's folder over them; docs/running.md lists its files. */
  readonly folder: string | undefined;
  readonly organisationName: string;
  readonly timeZone: string;
  /** Sentences that an installation writes as it likes: with any of these placeholders, and with none of them. */
  readonly freeSentences?: FreeSentences;
}

/**
 * Languages, logo, colours and texts of the portal; the product's, and the installation's over them. Read once at start.
 * @throws BrandingError naming, file by file, what does not fit
 */
export const createBranding = async ({ product, folder, organisationName, timeZone, freeSentences = new Map() }: Parts) => {
  const appearance = await readAppearance(folder, product);
  const languages = await readLanguages({
    product: product.languages,
    folder,
    facts: { 'brand.organisation': organisationName, 'brand.timeZone': timeZone },
    free: freeSentences,
  });
  const logo = appearance.logo ?? brandFile('image/svg+xml', await readFile(product.logo));
  const bySpoken = new Map(languages.map(({ code, sentences }) => [code, sentences]));
  const defaults = languages[0]?.sentences ?? {};
  return {
    routes: brandingRoutes({
      languages,
      logo,
      theme: appearance.theme,
      texts: createTexts({ product: product.texts, own: appearance.texts, organisationName }),
    }),
    /**
     * Sentences of one language for what the server writes itself (identity, mail); of a language that is not spoken (any more), those of the
     * house.
     */
    sentences: (language: string): Readonly<Record<string, string>> => bySpoken.get(language.toUpperCase()) ?? defaults,
    /** Codes and own names, in the order in which they are offered. */
    languages: languages.map(({ code, name }) => ({ code, name })),
    logo,
    /** The installation's colours: a style sheet, and the address that it may be kept under for ever. */
    theme:
      appearance.theme === undefined
        ? undefined
        : { css: appearance.theme.body.toString(), address: `${calls.getTheme.path}?v=${encodeURIComponent(versionOf(appearance.theme))}` },
  };
};
