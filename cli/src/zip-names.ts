import { isAscii } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';
import { comparedName } from './file-names.ts';

/** The letters 128 to 255 of the code pages in which older programs of Windows write names: of Central Europe, and of the United States. */
const codePages = {
  852: 'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00AD˝˛ˇ˘§÷¸°¨˙űŘř■\u00A0',
  437: 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0',
};

const decodePage = (bytes: Uint8Array, page: keyof typeof codePages): string =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : (codePages[page][byte - 128] ?? ''))).join('');

const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
};

const utf8Flag = 0x800;
const unicodePath = 0x7075;

/** Info-ZIP's field with the name in UTF-8; it counts only while the name that it was made for is there. */
const unicodeNameOf = ({ extraFields, fileNameRaw }: Entry): string | undefined => {
  const field = extraFields.find(({ id, data }) => id === unicodePath && data.length > 5 && data[0] === 1);
  return field !== undefined && field.data.readUInt32LE(1) === crc32(fileNameRaw) ? decodeUtf8(field.data.subarray(5)) : undefined;
};

interface Readings {
  /** The archive says so, or there is but one. */
  readonly isCertain: boolean;
  /** The likeliest first. */
  readonly names: readonly [string, ...string[]];
}

/** How the name of an entry may be read: an archive says its encoding only where it is UTF-8. */
const readingsOf = (entry: Entry): Readings => {
  const { fileNameRaw, generalPurposeBitFlag } = entry;
  const unicode = unicodeNameOf(entry);
  if (unicode !== undefined) return { isCertain: true, names: [unicode] };
  const utf8 = decodeUtf8(fileNameRaw);
  if (utf8 !== undefined && ((generalPurposeBitFlag & utf8Flag) !== 0 || isAscii(fileNameRaw))) return { isCertain: true, names: [utf8] };
  const pages = [decodePage(fileNameRaw, 852), decodePage(fileNameRaw, 437)] as const;
  return { isCertain: false, names: utf8 === undefined ? pages : [utf8, ...pages] };
};

export interface ArchivedFile {
  readonly entry: Entry;
  /** Its name in the likeliest reading. */
  readonly name: string;
}

/** The files of an archive by their names. */
export class ArchivedFiles {
  readonly #exact = new Map<string, ArchivedFile[]>();
  readonly #compared = new Map<string, Set<ArchivedFile>>();
  readonly #names: string[] = [];

  add(entry: Entry): void {
    const { isCertain, names } = readingsOf(entry);
    const [name] = names;
    if (/[/\\]$/.test(name)) return;
    const file = { entry, name };
    this.#names.push(name);
    if (isCertain) this.#exact.set(name, [...(this.#exact.get(name) ?? []), file]);
    for (const reading of names) {
      const compared = comparedName(reading);
      this.#compared.set(compared, (this.#compared.get(compared) ?? new Set()).add(file));
    }
  }

  /** The file of this name as it is written, else those whose names are the same when they are compared. */
  find(name: string): readonly ArchivedFile[] {
    return this.#exact.get(name) ?? [...(this.#compared.get(comparedName(name).replace(/^(?:\.\/)+/, '')) ?? [])];
  }

  names(): readonly string[] {
    return this.#names;
  }
}
