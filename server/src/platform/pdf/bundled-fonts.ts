import { readFileSync } from 'node:fs';
import { readLetters, withBoxes, type FontLetters } from './font-letters.ts';
import { createInstalledFonts, type InstalledFont } from './installed-fonts.ts';

export interface FontFile {
  /** Handed to the engine as the font's handle, therefore never 0. */
  readonly handle: number;
  readonly name: string;
  readonly data: Buffer;
  readonly letters: FontLetters;
}

/** What the engine knows about a font that is not embedded. */
interface WantedFont {
  name: string;
  weight: number;
  italic: boolean;
  /** Windows charset number. */
  charset: number;
  /** Windows pitch and family byte; often wrong, so that the name decides first. */
  pitchFamily: number;
}

/** The bundled or installed font that replaces a missing one. Undefined when the engine's own fallback is better. */
export function findBundledFont(wanted: WantedFont): FontFile | undefined {
  const name = plainName(wanted.name);
  const installed = findInstalledFont({ name, charset: wanted.charset });
  if (installed) return keepFont({ name: installed.path, ...installed });
  if (symbolFonts.test(name) || unknownScripts.has(wanted.charset)) return undefined;
  const bold = wanted.weight >= boldWeight || /bold|black|heavy|demi/.test(name);
  const italic = wanted.italic || /italic|oblique|kursiv/.test(name);
  return loadFont(`${familyOf(name, wanted.pitchFamily)}-${bold ? (italic ? 'BoldItalic' : 'Bold') : italic ? 'Italic' : 'Regular'}`);
}

/** Fonts of other scripts, for this thread. */
export function useFontsIn(dir: string): void {
  findInstalledFont = createInstalledFonts(dir);
}

let findInstalledFont: (wanted: { name: string; charset: number }) => InstalledFont | undefined = () => undefined;

/** The engine has signs of its own for these. */
export function isSymbolFont(name: string): boolean {
  return symbolFonts.test(plainName(name));
}

export function getFontByHandle(handle: number): FontFile | undefined {
  return byHandle[handle - 1];
}

const boldWeight = 600;
const fixedPitch = 1;
const romanFamily = 16;
const symbolCharset = 2;
/** Symbols, Japanese, Korean and Chinese: no letter of these is in the bundled fonts. */
const unknownScripts = new Set([symbolCharset, 128, 129, 130, 134, 136]);
const symbolFonts = /symbol|dingbat|wingding|webding/;
const families: readonly (readonly [RegExp, string])[] = [
  [/calibri|carlito/, 'Carlito'],
  [/courier|mono|consol|typewriter|lettergothic|ocr/, 'LiberationMono'],
  [/sans|arial|helvetica|verdana|tahoma|segoe|trebuchet|myriad|univers|frutiger|futura|lato|roboto|aptos/, 'LiberationSans'],
  [/times|serif|roman|georgia|garamond|cambria|palatino|bookman|bookantiqua|century|minion|baskerville|bodoni|didot/, 'LiberationSerif'],
];

function plainName(name: string): string {
  return name
    .replace(/^[A-Z]{6}\+/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function familyOf(name: string, pitchFamily: number): string {
  const known = families.find(([pattern]) => pattern.test(name));
  if (known) return known[1];
  if (pitchFamily & fixedPitch) return 'LiberationMono';
  return pitchFamily & romanFamily ? 'LiberationSerif' : 'LiberationSans';
}

const byName = new Map<string, FontFile>();
const byHandle: FontFile[] = [];

function loadFont(name: string): FontFile {
  const loaded = byName.get(name);
  if (loaded) return loaded;
  const file = readFileSync(new URL(`./fonts/${name}.ttf`, import.meta.url));
  const letters = readLetters(file);
  return keepFont({ name, data: withBoxes(file, letters), letters });
}

function keepFont({ name, data, letters }: Omit<FontFile, 'handle'>): FontFile {
  const kept = byName.get(name);
  if (kept) return kept;
  const font = { handle: byHandle.length + 1, name, data, letters };
  byName.set(name, font);
  byHandle.push(font);
  return font;
}
