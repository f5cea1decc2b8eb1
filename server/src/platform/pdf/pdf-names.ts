/** The names within one object of a PDF, as a lexer finds them: outside of strings and comments, with their `#xx` decoded. */
export interface ObjectNames {
  /** Of those that were looked for. */
  readonly names: ReadonlySet<string>;
  /** After the object. */
  readonly end: number;
  /** Where the data of a stream begin, when the object is one. */
  readonly stream?: number;
  /** The number behind the name `First`, where there is one. */
  readonly first?: number;
}

/** Names to look for. By their hashes, most names of a file are skipped without becoming text. */
export interface WantedNames {
  readonly names: ReadonlySet<string>;
  readonly hashes: ReadonlySet<number>;
}

export const wantNames = (names: Iterable<string>): WantedNames => {
  const wanted = new Set(names);
  return { names: wanted, hashes: new Set([...wanted].map((name) => Buffer.from(name, 'latin1').reduce(addToHash, 0))) };
};

interface Options {
  readonly wanted: WantedNames;
  /** The object is in a stream of objects: no word ends it. */
  readonly isPacked?: boolean;
}

const [regular, space, delimiter] = [0, 1, 2];

const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  if ([0, 9, 10, 12, 13, 32].includes(code)) return space;
  return '()<>[]{}/%'.includes(String.fromCharCode(code)) ? delimiter : regular;
});

export const isRegular = (sign: number | undefined): boolean => sign !== undefined && kinds[sign] === regular;

export const isSpace = (sign: number | undefined): boolean => sign !== undefined && kinds[sign] === space;

const code = (sign: string): number => sign.charCodeAt(0);
const signs = {
  slash: code('/'),
  percent: code('%'),
  open: code('('),
  close: code(')'),
  less: code('<'),
  greater: code('>'),
  openList: code('['),
  closeList: code(']'),
  backslash: code('\\'),
  lineFeed: code('\n'),
  carriageReturn: code('\r'),
  number: code('#'),
  e: code('e'),
  s: code('s'),
};
const notHex = 16;
const hexDigits = Uint8Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code);
  return /[0-9A-Fa-f]/.test(sign) ? Number.parseInt(sign, 16) : notHex;
});
const endWord = 'endobj';
const streamWord = 'stream';

/** Reads from `start` to the end of the object and never throws. Within brackets, `endobj` and `stream` end nothing: some readers go on there. */
export const namesOfObject = (bytes: Buffer, start: number, { wanted, isPacked = false }: Options): ObjectNames => {
  const names = new Set<string>();
  let at = start;
  let depth = 0;
  let behindFirst: number | undefined;
  const found = (end: number, stream?: number): ObjectNames => {
    const first = behindFirst === undefined ? undefined : numberAfter(bytes, behindFirst);
    return { names, end, ...(stream === undefined ? {} : { stream }), ...(first === undefined ? {} : { first }) };
  };

  while (at < bytes.length) {
    const sign = bytes[at] ?? 0;
    let isWhole = depth === 0;
    if (kinds[sign] === space) {
      at += 1;
      continue;
    }
    if (sign === signs.percent) {
      at = endOfLine(bytes, at);
      continue;
    }
    if (sign === signs.slash) {
      const start = at + 1;
      let hash = 0;
      at = start;
      while (at < bytes.length && kinds[bytes[at] ?? 0] === regular) {
        const decoded = decodedAt(bytes, at);
        hash = addToHash(hash, decoded < 0 ? (bytes[at] ?? 0) : decoded);
        at += decoded < 0 ? 1 : 3;
      }
      if (!wanted.hashes.has(hash)) continue;
      const name = decodeName(bytes.toString('latin1', start, at));
      if (wanted.names.has(name)) names.add(name);
      if (name === 'First') behindFirst = at;
    } else if (sign === signs.open) at = endOfString(bytes, at);
    else if (sign === signs.less && bytes[at + 1] !== signs.less) at = endOfHex(bytes, at);
    else if (sign === signs.less || sign === signs.openList) {
      at += sign === signs.less ? 2 : 1;
      depth += 1;
      isWhole = false;
    } else if (sign === signs.greater || sign === signs.closeList) {
      at += sign === signs.greater && bytes[at + 1] === signs.greater ? 2 : 1;
      depth = Math.max(0, depth - 1);
      isWhole = depth === 0;
    } else {
      const end = Math.max(at + 1, endOfRegular(bytes, at));
      const canEnd = depth === 0 && end - at >= endWord.length && (sign === signs.e || sign === signs.s);
      const word = canEnd ? bytes.toString('latin1', at, at + endWord.length) : '';
      if (word === endWord) return found(end);
      if (word === streamWord) return found(end, afterLineBreak(bytes, at + streamWord.length));
      at = end;
    }
    if (isPacked && isWhole) return found(at);
  }
  return found(at);
};

const endOfRegular = (bytes: Buffer, start: number): number => {
  let at = start;
  while (at < bytes.length && kinds[bytes[at] ?? 0] === regular) at += 1;
  return at;
};

const addToHash = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

/** The character of `#xx`; below 0 where there is none. */
const decodedAt = (bytes: Buffer, at: number): number => {
  if (bytes[at] !== signs.number) return -1;
  const [high, low] = [hexDigits[bytes[at + 1] ?? 0] ?? notHex, hexDigits[bytes[at + 2] ?? 0] ?? notHex];
  return high === notHex || low === notHex ? -1 : high * 16 + low;
};

const decodeName = (name: string): string =>
  name.includes('#') ? name.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : name;

/** The part of a reference (`7 0 R`) behind its first number. */
const restOfReference = /^[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R/;

/** The number that `pattern` captures. Undefined when there is none, or when it begins a reference. */
export const directNumber = (text: string, pattern: RegExp): number | undefined => {
  const found = pattern.exec(text);
  if (found === null || restOfReference.test(text.slice(found.index + found[0].length))) return undefined;
  return Number(found[1]);
};

const numberAfter = (bytes: Buffer, start: number): number | undefined =>
  directNumber(bytes.toString('latin1', start, start + 64), /^[\0\t\n\f\r ]*(\d{1,10})(?!\d)/);

/** Brackets within a string nest, unless a backslash escapes them. */
const endOfString = (bytes: Buffer, start: number): number => {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const sign = bytes[at];
    if (sign === signs.backslash) at += 1;
    else if (sign === signs.open) depth += 1;
    else if (sign === signs.close) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return bytes.length;
};

const endOfHex = (bytes: Buffer, start: number): number => {
  let at = start;
  while (at < bytes.length && bytes[at] !== signs.greater) at += 1;
  return Math.min(at + 1, bytes.length);
};

export const endOfLine = (bytes: Buffer, start: number): number => {
  let at = start;
  while (at < bytes.length && bytes[at] !== signs.lineFeed && bytes[at] !== signs.carriageReturn) at += 1;
  return at;
};

export const afterLineBreak = (bytes: Buffer, start: number): number => {
  const at = bytes[start] === signs.carriageReturn ? start + 1 : start;
  return bytes[at] === signs.lineFeed ? at + 1 : at;
};
