import { directNumber, namesOfObject, textOf, tokenAt } from './pdf-names.ts';

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
/** White space, ends of the file, and words between objects; in damaged files also ends of objects that have no beginning. */
const between = /[\0\t\n\f\r ]+|%%EOF|endobj|endstream|xref|trailer|startxref|[+-]?\d{1,20}|(?:n|f|R|null)(?=[\0\t\n\f\r ]|$)/y;
const comment = /%[^\r\n]*/y;
const spaces = /[\0\t\n\f\r ]*/y;
const wanted: ReadonlySet<string> = new Set();
/** As in inspect-objects.ts: an honest file is read once. */
const maxReadings = 2;
const fewBytes = 1024 * 1024;

const behindHeader = 'other data than the version in the first line';
const beforeHeader = 'something else before the PDF’s header';
const betweenObjects = 'data outside of the PDF’s objects, or behind its end';
const archive = 'an archive (ZIP) in it';

/** At most a byte order mark and some white space stand before the header. */
export const isPdfByHeader = (file: Uint8Array): boolean => endOfHeader(textOf(file.subarray(0, maxBeforeHeader + 5))) !== undefined;

/**
 * Describes data that are no part of the PDF: before the header, in its line, between objects or behind the last one. PDF readers skip them,
 * readers of other formats may not. The content of an object belongs to the PDF, except an archive that ends with the file.
 */
export const findForeignData = (file: Uint8Array): string | undefined => {
  const text = textOf(file);
  const start = endOfHeader(text);
  if (start === undefined) return beforeHeader;
  const rest = version.exec(text.slice(start, start + maxBeforeHeader));
  if (rest === null) return behindHeader;
  if (endsAsArchive(text)) return archive;
  return isOnlyObjects(text, start + rest[0].length) ? undefined : betweenObjects;
};

const endOfHeader = (text: string): number | undefined => header.exec(text.slice(0, maxBeforeHeader + '%PDF-'.length))?.[0].length;

const isOnlyObjects = (text: string, start: number): boolean => {
  const nextOf = createNextOf(text);
  const mostBytes = maxReadings * text.length + fewBytes;
  let readBytes = 0;

  const endIfPlain = (at: number, end: number): number | undefined => (isOtherFormat(text.slice(at, end)) ? undefined : end);

  const endOfObject = (at: number): number | undefined => {
    const { end, stream } = namesOfObject(text, at, { wanted });
    readBytes += end - at;
    if (stream !== undefined) return endOfStream(text, { at, stream }) ?? nextOf(['endstream', 'endobj', 'trailer'], stream);
    // A damaged object without an end reaches to the end of the next one.
    return text.endsWith('endobj', end) ? end : nextOf(['endobj', 'trailer'], at);
  };

  /** Readers rebuild a damaged table: its text has no effect. */
  const endOfTable = (at: number): number | undefined => {
    const end = nextOf(['trailer'], at);
    if (end === undefined || readBytes + end - at > mostBytes) return undefined;
    readBytes += end - at;
    return plainText.test(text.slice(at, end)) ? endIfPlain(at, end) : undefined;
  };

  /** The end of the part that begins here. Undefined when it is no part of a PDF. */
  const nextPart = (at: number): number | undefined => {
    if (text.startsWith('obj', at)) return endOfObject(at + 'obj'.length);
    if (text.startsWith('xref', at)) return endOfTable(at) ?? at + 'xref'.length;
    if (text.startsWith('<<', at)) {
      const { end } = namesOfObject(text, at, { wanted, isPacked: true });
      readBytes += end - at;
      return endIfPlain(at, end);
    }
    const known = tokenAt(text, at, between);
    if (known !== '') return at + known.length;
    return text[at] === '%' ? endIfPlain(at, at + Math.min(tokenAt(text, at, comment).length, maxCommentBytes)) : undefined;
  };

  let at: number | undefined = start;
  while (at !== undefined && at < text.length) {
    at = nextPart(at);
    if (readBytes > mostBytes) return false;
  }
  return at !== undefined;
};

const isOtherFormat = (text: string): boolean => webPage.test(text) || archiveMarks.some((mark) => text.includes(mark));

/** The end by the stream's own length, if `endstream` follows there. */
const endOfStream = (text: string, { at, stream }: { at: number; stream: number }): number | undefined => {
  const length = directNumber(text.slice(at, stream), /\/Length[\0\t\n\f\r ]+(\d{1,10})(?!\d)/);
  if (length === undefined) return undefined;
  const end = stream + length + tokenAt(text, stream + length, spaces).length;
  return text.startsWith('endstream', end) ? end : undefined;
};

/** Finds the first of these words from `start` on. Call it with ascending starts: each byte is searched once. */
const createNextOf = (text: string): ((words: readonly string[], start: number) => number | undefined) => {
  const found = new Map<string, number>();
  const next = (word: string, start: number): number => {
    const known = found.get(word) ?? start - 1;
    if (known >= start) return known;
    const at = text.indexOf(word, start);
    found.set(word, at < 0 ? Infinity : at);
    return found.get(word) ?? Infinity;
  };
  return (words, start) => words.map((word) => next(word, start)).find(Number.isFinite);
};

const endMark = 'PK\u0005\u0006';
const endMarkBytes = 22;

/** The last record of an archive says how much follows it. */
const endsAsArchive = (text: string): boolean => {
  const least = Math.max(0, text.length - endMarkBytes - 0xff_ff);
  for (let at = text.indexOf(endMark, least); at >= 0; at = text.indexOf(endMark, at + 1)) {
    const comment = at + endMarkBytes;
    if (comment <= text.length && comment + text.charCodeAt(comment - 2) + 256 * text.charCodeAt(comment - 1) === text.length) return true;
  }
  return false;
};
