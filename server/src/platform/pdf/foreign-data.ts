import { directNumber, endOfLine, isRegular, isSpace, namesOfObject, wantNames } from './pdf-names.ts';

/** White space and a byte order mark before the header. */
const maxBeforeHeader = 32;
const header = /^(?:\xef\xbb\xbf)?[\0\t\n\f\r ]*%PDF-/;
/** The rest of the header's line: a version, sometimes incomplete. */
const version = /^\d?\.?\d?[\0\t\f ]*(?:[\r\n]|$)/;

/** Marks of web pages. */
const webPage = /<(?:!doctype|html|head|body|script|svg|iframe|img|\?)/i;
const archiveMarks = ['PK\u0003\u0004', 'PK\u0005\u0006', 'PK\u0007\u0008'];
const plainText = /^[\0\t\n\f\r\x20-\x7e]*$/;
const maxCommentBytes = 1_024;
/** Words between objects; in damaged files also ends of objects that have no beginning. */
const betweenWords = /^(?:endobj|endstream|xref|trailer|startxref|[+-]?\d+|(?:n|f|R|null)(?=[\0\t\n\f\r ]|$))/;
const longestWord = 20;
const endOfFile = '%%EOF';
const wanted = wantNames([]);
/** As in inspect-objects.ts: an honest file is read once. */
const maxReadings = 2;
const fewBytes = 1024 * 1024;

const behindHeader = 'other data than the version in the first line';
const beforeHeader = 'something else before the PDF’s header';
const betweenObjects = 'data outside of the PDF’s objects, or behind its end';
const archive = 'an archive (ZIP) in it';

/** At most a byte order mark and some white space precede the header. */
export const isPdfByHeader = (file: Uint8Array): boolean => endOfHeader(file) !== undefined;

/**
 * Describes data that are no part of the PDF: before the header, in its line, between objects or behind the last one. PDF readers skip them,
 * readers of other formats may not. The content of an object belongs to the PDF, except an archive that ends with the file.
 */
export const findForeignData = (file: Uint8Array): string | undefined => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const start = endOfHeader(file);
  if (start === undefined) return beforeHeader;
  const rest = version.exec(bytes.toString('latin1', start, start + maxBeforeHeader));
  if (rest === null) return behindHeader;
  if (endsAsArchive(bytes)) return archive;
  return isOnlyObjects(bytes.subarray(0, endBeforeControlByte(bytes)), start + rest[0].length) ? undefined : betweenObjects;
};

/** Where one control byte behind the last line begins, as old systems end files (Ctrl-Z, Ctrl-D, 0xFF); else the end of the file. */
const endBeforeControlByte = (bytes: Buffer): number => {
  const at = endBeforeSpace(bytes, bytes.length) - 1;
  const end = endBeforeSpace(bytes, at);
  return isControl(bytes[at]) && bytes.toString('latin1', end - endOfFile.length, end) === endOfFile ? at : bytes.length;
};

const endBeforeSpace = (bytes: Buffer, end: number): number => {
  let at = end;
  while (at > 0 && isSpace(bytes[at - 1])) at -= 1;
  return at;
};

const isControl = (sign = 0x20): boolean => sign < 0x20 || sign === 0x7f || sign === 0xff;

const endOfHeader = (file: Uint8Array): number | undefined =>
  header.exec(Buffer.from(file.subarray(0, maxBeforeHeader + '%PDF-'.length)).toString('latin1'))?.[0].length;

const isOnlyObjects = (bytes: Buffer, start: number): boolean => {
  const nextOf = createNextOf(bytes);
  const maxBytes = maxReadings * bytes.length + fewBytes;
  let readBytes = 0;

  const endIfPlain = (at: number, end: number): number | undefined => (isOtherFormat(bytes.toString('latin1', at, end)) ? undefined : end);

  const endOfObject = (at: number): number | undefined => {
    const { end, stream } = namesOfObject(bytes, at, { wanted });
    readBytes += end - at;
    if (stream !== undefined) return endOfStream(bytes, { at, stream }) ?? nextOf(['endstream', 'endobj', 'trailer'], stream);
    // The word may be longer. A damaged object without an end reaches to the end of the next one.
    const word = startOfWord(bytes, end);
    return bytes.toString('latin1', word, word + 'endobj'.length) === 'endobj' ? word : nextOf(['endobj', 'trailer'], at);
  };

  /** Readers rebuild a damaged table: its text has no effect. */
  const endOfTable = (at: number): number | undefined => {
    const end = nextOf(['trailer'], at);
    if (end === undefined || readBytes + end - at > maxBytes) return undefined;
    readBytes += end - at;
    return plainText.test(bytes.toString('latin1', at, end)) ? endIfPlain(at, end) : undefined;
  };

  /** The end of the part that begins here. Undefined when it is no part of a PDF. */
  const nextPart = (at: number): number | undefined => {
    if (isSpace(bytes[at])) return at + 1;
    const text = bytes.toString('latin1', at, at + longestWord);
    if (text.startsWith(endOfFile)) return at + endOfFile.length;
    if (text.startsWith('%')) return endIfPlain(at, Math.min(endOfLine(bytes, at), at + maxCommentBytes));
    if (text.startsWith('obj')) return endOfObject(at + 'obj'.length);
    if (text.startsWith('xref')) return endOfTable(at) ?? at + 'xref'.length;
    if (!text.startsWith('<<')) return endOfWord(text, at);
    const { end } = namesOfObject(bytes, at, { wanted, isPacked: true });
    readBytes += end - at;
    return endIfPlain(at, end);
  };

  let at: number | undefined = start;
  while (at !== undefined && at < bytes.length) {
    at = nextPart(at);
    if (readBytes > maxBytes) return false;
  }
  return at !== undefined;
};

const isOtherFormat = (text: string): boolean => webPage.test(text) || archiveMarks.some((mark) => text.includes(mark));

const endOfWord = (text: string, at: number): number | undefined => {
  const word = betweenWords.exec(text)?.[0];
  return word === undefined ? undefined : at + word.length;
};

const startOfWord = (bytes: Buffer, end: number): number => {
  let at = end;
  while (at > 0 && isRegular(bytes[at - 1])) at -= 1;
  return at;
};

/** The end by the stream's own length, if `endstream` follows there. */
const endOfStream = (bytes: Buffer, { at, stream }: { at: number; stream: number }): number | undefined => {
  const length = directNumber(bytes.toString('latin1', at, stream), /\/Length[\0\t\n\f\r ]+(\d{1,10})(?!\d)/);
  if (length === undefined) return undefined;
  let end = stream + length;
  while (isSpace(bytes[end])) end += 1;
  return bytes.toString('latin1', end, end + 'endstream'.length) === 'endstream' ? end : undefined;
};

/** Finds the first of these words from `start` on. Call it with ascending starts: each byte is searched once. */
const createNextOf = (bytes: Buffer): ((words: readonly string[], start: number) => number | undefined) => {
  const found = new Map<string, number>();
  const next = (word: string, start: number): number => {
    const known = found.get(word) ?? start - 1;
    if (known >= start) return known;
    const at = bytes.indexOf(word, start);
    found.set(word, at < 0 ? Infinity : at);
    return found.get(word) ?? Infinity;
  };
  return (words, start) => words.map((word) => next(word, start)).find(Number.isFinite);
};

const endMark = Buffer.from('PK\u0005\u0006', 'latin1');
const endMarkBytes = 22;

/** The last record of an archive holds the length of what follows it. */
const endsAsArchive = (bytes: Buffer): boolean => {
  const least = Math.max(0, bytes.length - endMarkBytes - 0xff_ff);
  for (let at = bytes.indexOf(endMark, least); at >= 0; at = bytes.indexOf(endMark, at + 1))
    if (at + endMarkBytes <= bytes.length && at + endMarkBytes + bytes.readUInt16LE(at + endMarkBytes - 2) === bytes.length) return true;
  return false;
};
