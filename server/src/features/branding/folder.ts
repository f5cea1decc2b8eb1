import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { etagOf } from '#platform/http/etag.ts';
import { BrandingError } from './branding-error.ts';
import { textFileName } from './texts.ts';
import { findWeakPairs, readTheme, themeCss } from './theme.rules.ts';

/** A file that is served unchanged, held in memory. */
export interface BrandFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

/** What an installation looks like, apart from its sentences. Undefined: as the product does. */
export interface Appearance {
  readonly logo: BrandFile | undefined;
  readonly theme: BrandFile | undefined;
  /** The installation's own texts, path by file name. */
  readonly texts: ReadonlyMap<string, string>;
}

export const brandFile = (type: string, body: Buffer): BrandFile => ({
  type,
  body,
  etag: etagOf(body),
});

const maxLogoBytes = 512 * 1024;
const themeType = 'text/css; charset=utf-8';

interface ImageKind {
  readonly type: string;
  readonly isOne: (body: Buffer) => boolean;
}

const startsWith = (body: Buffer, ...bytes: number[]): boolean => bytes.every((byte, index) => body[index] === byte);

/** By the content of the file: its name is not trusted. */
/** What an SVG begins with after a byte order mark, its XML declaration and comments. */
const withoutProlog = (text: string): string => {
  const left = text.trimStart();
  const end = left.startsWith('<?xml') ? '?>' : left.startsWith('<!--') ? '-->' : undefined;
  const endsAt = end === undefined ? -1 : left.indexOf(end);
  return end === undefined || endsAt < 0 ? left : withoutProlog(left.slice(endsAt + end.length));
};

const imageKinds: Readonly<Record<string, ImageKind>> = {
  png: { type: 'image/png', isOne: (body) => startsWith(body, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  jpg: { type: 'image/jpeg', isOne: (body) => startsWith(body, 0xff, 0xd8, 0xff) },
  webp: {
    type: 'image/webp',
    isOne: (body) => body.subarray(0, 4).toString('latin1') === 'RIFF' && body.subarray(8, 12).toString('latin1') === 'WEBP',
  },
  svg: {
    type: 'image/svg+xml',
    isOne: (body) => /^<svg[\s>]/.test(withoutProlog(body.toString('utf8'))),
  },
};

const logoName = /^logo_small\.(png|jpg|webp|svg)$/;

const expected =
  'languages/, logo_small.png (or .jpg, .webp, .svg), theme.json, CHANGELOG.md, ACCESSIBILITY.md, and both by language, as CHANGELOG.pl.md';

const readLogo = async (folder: string, names: readonly string[]): Promise<BrandFile | undefined> => {
  const [name, ...more] = names.filter((one) => logoName.test(one));
  if (name === undefined) return undefined;
  if (more.length > 0) throw new BrandingError([`${[name, ...more].join(', ')}: only one of them can be the logo`]);
  const body = await readFile(join(folder, name));
  const kind = imageKinds[logoName.exec(name)?.[1] ?? ''];
  if (body.length > maxLogoBytes) throw new BrandingError([`${name}: is larger than ${maxLogoBytes} bytes`]);
  if (kind === undefined || !kind.isOne(body)) throw new BrandingError([`${name}: is not an image of the type that its name says`]);
  return brandFile(kind.type, body);
};

const readThemeFile = async (folder: string, tokensCss: string): Promise<BrandFile> => {
  const refuse = (problem: string): BrandingError => new BrandingError([`theme.json: ${problem}`]);
  let written: unknown;
  try {
    written = JSON.parse(await readFile(join(folder, 'theme.json'), 'utf8'));
  } catch (error) {
    throw refuse(`cannot be read as JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  const theme = readTheme(written);
  if (theme === undefined) throw refuse('holds either {"hue": 0 to 360, "chroma": 0 to 0.13} or {"accent": "#rrggbb"}, and nothing else');
  const [weakest, ...more] = findWeakPairs(tokensCss, theme);
  if (weakest !== undefined)
    throw refuse(
      `the accent cannot be read everywhere: ${weakest}${more.length > 0 ? `, and ${more.length} more pairs are too weak` : ''}. ` +
        `The hue ${theme.hue} with the chroma ${theme.chroma} can be: {"hue": ${theme.hue}, "chroma": ${theme.chroma}}`,
    );
  return brandFile(themeType, Buffer.from(themeCss(tokensCss, theme)));
};

/**
 * Reads the installation's folder, once, at start. A name that means nothing here is refused: a logo that is called otherwise would just not
 * appear.
 * @throws BrandingError saying what does not fit
 */
export const readAppearance = async (folder: string | undefined, { tokens }: { tokens: URL }): Promise<Appearance> => {
  if (folder === undefined) return { logo: undefined, theme: undefined, texts: new Map() };
  const entries = await readdir(folder).catch((error: unknown) => {
    throw new BrandingError([`the folder ${folder} cannot be read (${error instanceof Error ? error.message : String(error)})`]);
  });
  const names = entries.filter((name) => !name.startsWith('.') && !/^readme/i.test(name)).toSorted();
  const unknown = names.filter((name) => !['languages', 'theme.json'].includes(name) && !textFileName.test(name) && !logoName.test(name));
  if (unknown.length > 0) throw new BrandingError(unknown.map((name) => `${name}: is unknown here; the folder may hold ${expected}`));
  return {
    logo: await readLogo(folder, names),
    theme: names.includes('theme.json') ? await readThemeFile(folder, await readFile(tokens, 'utf8')) : undefined,
    texts: new Map(names.filter((name) => textFileName.test(name)).map((name) => [name, join(folder, name)])),
  };
};
