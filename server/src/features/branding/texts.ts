import { readFile } from 'node:fs/promises';
import { PortalError } from '#platform/http/errors.ts';

/** A text of the portal, in Markdown: what is new, and the accessibility statement. */
export type TextName = 'CHANGELOG' | 'ACCESSIBILITY';

export interface FoundText {
  readonly body: Buffer;
  /** Undefined: an installation's own file that does not say its language by its name. */
  readonly language: string | undefined;
}

export type Texts = ReturnType<typeof createTexts>;

interface Parts {
  /** The folder of the product's own: `CHANGELOG.md` in English, `CHANGELOG.pl.md` in Polish. */
  readonly product: URL;
  /** The installation's, path by file name. One of them replaces all of the product's of that name, in every language. */
  readonly own: ReadonlyMap<string, string>;
  readonly organisationName: string;
}

export const textFileName = /^(?:CHANGELOG|ACCESSIBILITY)(?:\.[a-z]{2,3})?\.md$/;

const productLanguage = 'en';
const translations: ReadonlySet<string> = new Set(['pl']);

/** Escapes Markdown, so that a name is shown as it is. */
const inMarkdown = (name: string): string => name.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

export const createTexts = ({ product, own, organisationName }: Parts) => {
  const placeOf = (name: TextName, language: string | undefined): { path: string | URL; language: string | undefined } => {
    const spoken = language?.toLowerCase();
    const inLanguage = own.get(`${name}.${spoken}.md`);
    if (inLanguage !== undefined) return { path: inLanguage, language: spoken };
    const plain = own.get(`${name}.md`);
    if (plain !== undefined) return { path: plain, language: undefined };
    return spoken !== undefined && translations.has(spoken)
      ? { path: new URL(`${name}.${spoken}.md`, product), language: spoken }
      : { path: new URL(`${name}.md`, product), language: productLanguage };
  };

  return {
    /** In this language, else in the one that there is. Throws RESOURCE_NOT_FOUND when there is none. */
    async read(name: TextName, wanted: string | undefined): Promise<FoundText> {
      const { path, language } = placeOf(name, wanted);
      try {
        const text = await readFile(path, 'utf8');
        return { body: Buffer.from(text.replaceAll('{{organisation}}', () => inMarkdown(organisationName))), language };
      } catch (error) {
        throw new PortalError('RESOURCE_NOT_FOUND', { cause: error });
      }
    },
  };
};
