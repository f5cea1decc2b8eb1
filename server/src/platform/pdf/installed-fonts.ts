import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLetters, type FontLetters } from './font-letters.ts';

/** Scripts that no bundled font has. */
interface Script {
  /** Windows charset numbers. */
  readonly charsets: readonly number[];
  /** Of fonts that documents in this script name without holding them: in small letters, without spaces. */
  readonly names: RegExp;
  /** A letter that fonts of the other scripts lack. */
  readonly letter: number;
  /** In the name of a file that is preferred to others that have the letter. */
  readonly file: RegExp;
}

export interface InstalledFont {
  readonly path: string;
  readonly data: Buffer;
  readonly letters: FontLetters;
}

const letterOf = (letter: string): number => letter.codePointAt(0) ?? 0;
const scripts: readonly Script[] = [
  {
    charsets: [128],
    names: /^(msp?gothic|msuigothic|msp?mincho|yugothic|yumincho|meiryo|heisei|koz(min|go)|hiragino)/,
    letter: letterOf('あ'),
    file: /jp/i,
  },
  { charsets: [129, 130], names: /^(malgun|batang|gulim|dotum|hysm|hygo|hyms)/, letter: letterOf('한'), file: /kr/i },
  {
    charsets: [134],
    names: /^(simsun|nsimsun|simhei|microsoftyahei|stsong|stheiti|fangsong|kaiti|adobesong|adobeheiti)/,
    letter: letterOf('们'),
    file: /sc|hans/i,
  },
  { charsets: [136], names: /^(p?mingliu|microsoftjhenghei|dfkai|msung|mhei|adobeming)/, letter: letterOf('們'), file: /tc|hant/i },
  { charsets: [178], names: /^(arabictypesetting|traditionalarabic|simplifiedarabic|sakkalmajalla)/, letter: letterOf('ب'), file: /arab/i },
];

/** Fonts that the operator has put into a folder (FONT_DIR), read when a document wants their script first. */
export function createInstalledFonts(dir: string): (wanted: { name: string; charset: number }) => InstalledFont | undefined {
  const found = new Map<Script, InstalledFont | undefined>();
  return ({ name, charset }) => {
    const script = scripts.find(({ charsets, names }) => charsets.includes(charset) || names.test(name));
    if (script === undefined) return undefined;
    if (!found.has(script)) found.set(script, findFont(dir, script));
    return found.get(script);
  };
}

function findFont(dir: string, { letter, file }: Script): InstalledFont | undefined {
  const files = readdirSync(dir).filter((name) => /\.(ttf|otf)$/i.test(name));
  const plain = (name: string): number => (/regular/i.test(name) ? 0 : 1);
  const ordered = files.toSorted((one, other) => Number(file.test(other)) - Number(file.test(one)) || plain(one) - plain(other));
  for (const name of ordered) {
    const path = join(dir, name);
    const data = readFileSync(path);
    const letters = readLetters(data);
    if (letters.has(letter)) return { path, data, letters };
  }
  return undefined;
}
