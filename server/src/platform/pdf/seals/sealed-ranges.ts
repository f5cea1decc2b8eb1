import { type PDF, PdfArray, PdfDict, PdfNumber, type PdfObject, PdfRef, PdfString } from '@libpdf/core';
import { maxCmsBytes } from '#platform/cms/signed-data.ts';

/** One signature of a PDF: the file up to `end` is signed, but for the hexadecimal digits between `gapStart` and `gapEnd`. */
export interface SealedRange {
  readonly gapStart: number;
  readonly gapEnd: number;
  readonly end: number;
  /** The message in the gap, with zeros behind it. */
  readonly cms: Uint8Array;
  readonly format: string;
  /** An entry of the signed dictionary. */
  readonly signedOn: Date | undefined;
}

/** The sentence says why a signature does not cover what it has to. */
export class CoverageError extends Error {
  override readonly name = 'CoverageError';
}

const maxFields = 5_000;
const maxSignatures = 50;
const maxDepth = 16;

/** The dictionaries of all signatures, each once. Throws CoverageError for more than a document has. */
export const findSignatures = (pdf: PDF): readonly PdfDict[] => {
  const resolve = (ref: PdfRef): PdfObject | null => pdf.getObject(ref);
  const found = new Set<PdfDict>();
  let fields = 0;
  const look = (items: PdfArray | undefined, depth: number): void => {
    for (let at = 0; at < (items?.length ?? 0); at += 1) {
      const field = items?.at(at, resolve);
      fields += 1;
      if (fields > maxFields || depth > maxDepth) throw new CoverageError('The PDF has more fields than can be looked at');
      if (!(field instanceof PdfDict)) continue;
      const value = field.get('V', resolve);
      if (value instanceof PdfDict && value.has('ByteRange')) found.add(value);
      look(field.getArray('Kids', resolve), depth + 1);
    }
  };
  look(pdf.getCatalog().getDict('AcroForm', resolve)?.getArray('Fields', resolve), 0);
  if (found.size > maxSignatures) throw new CoverageError(`The PDF has more than ${maxSignatures} signatures`);
  return [...found];
};

/** Throws CoverageError unless the range is the file's beginning with one gap, which is exactly this signature. */
export const readRange = (file: Uint8Array, signature: PdfDict, pdf: PDF): SealedRange => {
  const resolve = (ref: PdfRef): PdfObject | null => pdf.getObject(ref);
  const numbers =
    signature
      .getArray('ByteRange', resolve)
      ?.toArray()
      .map((item) => (item instanceof PdfNumber ? item.value : -1)) ?? [];
  const [start = -1, gapStart = -1, gapEnd = -1, length = -1] = numbers;
  const end = gapEnd + length;
  const isOrdered = numbers.length === 4 && start === 0 && gapStart > 0 && gapEnd > gapStart + 2 && length > 0 && end <= file.length;
  if (!isOrdered || !numbers.every(Number.isSafeInteger)) throw new CoverageError('The signature does not say which bytes it covers');
  if (gapEnd - gapStart > 2 * maxCmsBytes + 2) throw new CoverageError('The signature is too large');
  const gap = Buffer.from(file.buffer, file.byteOffset + gapStart, gapEnd - gapStart).toString('latin1');
  const digits = gap.slice(1, -1);
  if (!gap.startsWith('<') || !gap.endsWith('>') || digits.length % 2 === 1 || /[^\dA-Fa-f]/.test(digits))
    throw new CoverageError('The signature leaves out more of the file than itself');
  const cms = Buffer.from(digits, 'hex');
  const contents = signature.getString('Contents', resolve);
  if (contents === undefined || Buffer.compare(contents.bytes, cms) !== 0)
    throw new CoverageError('The signature leaves out another place of the file than its own');
  return {
    gapStart,
    gapEnd,
    end,
    cms,
    format: signature.getName('SubFilter', resolve)?.value ?? '',
    signedOn: dateOf(signature.get('M', resolve)),
  };
};

/** D:YYYYMMDDHHmmSS+HH'mm', in which all but the year may be left out. */
const dateOf = (written: PdfObject | null | undefined): Date | undefined => {
  if (!(written instanceof PdfString)) return undefined;
  const parts = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?/.exec(written.asString());
  if (parts === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)));
  const [sign, hours = '0', minutes = '0'] = parts.slice(7, 10);
  const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute - ahead, second));
  return Number.isNaN(date.getTime()) ? undefined : date;
};
