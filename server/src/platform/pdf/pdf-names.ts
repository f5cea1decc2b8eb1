/** The names within one object of a PDF, as a lexer finds them: outside of strings and comments, with their `#xx` decoded. */
export interface ObjectNames {
  readonly names: ReadonlySet<string>;
  /** After the object. */
  readonly end: number;
  /** Where the data of a stream begin, when the object is one. */
  readonly stream?: number;
  /** The number behind the name `First`, where there is one. */
  readonly first?: number;
}

interface Options {
  /** The object stands among others in a stream: it ends with itself, not with a word. */
  readonly isPacked?: boolean;
}

const [regular, space, delimiter] = [0, 1, 2];

const kinds = Uint8Array.from({ length: 256 }, (_, code) => {
  if ([0, 9, 10, 12, 13, 32].includes(code)) return space;
  return '()<>[]{}/%'.includes(String.fromCharCode(code)) ? delimiter : regular;
});

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
  e: code('e'),
  s: code('s'),
};
const endWord = 'endobj';
const streamWord = 'stream';

/**
 * Reads from `start` to the end of the object; never throws, whatever the bytes are. Within brackets neither `endobj` nor `stream` ends
 * anything: some readers go on there, so this one does.
 */
export const namesOfObject = (bytes: Buffer, start: number, { isPacked = false }: Options = {}): ObjectNames => {
  const names = new Set<string>();
  let at = start;
  let depth = 0;
  let first: number | undefined;
  const found = (end: number, stream?: number): ObjectNames => ({
    names,
    end,
    ...(stream === undefined ? {} : { stream }),
    ...(first === undefined ? {} : { first }),
  });

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
      const end = endOfRegular(bytes, at + 1);
      const name = decodeName(bytes.toString('latin1', at + 1, end));
      names.add(name);
      if (name === 'First') first = numberAfter(bytes, end);
      at = end;
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

const decodeName = (name: string): string =>
  name.includes('#') ? name.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : name;

/** Undefined when what follows is a reference, or no number at all. */
const numberAfter = (bytes: Buffer, start: number): number | undefined => {
  const written = /^[\0\t\n\f\r ]*(\d{1,10})(?![\d\0\t\n\f\r ]*[\0\t\n\f\r ]\d+[\0\t\n\f\r ]+R)/.exec(
    bytes.toString('latin1', start, start + 64),
  );
  return written === null ? undefined : Number(written[1]);
};

/** Brackets within a string count, unless a backslash stands before them. */
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
  const end = bytes.indexOf('>', start);
  return end < 0 ? bytes.length : end + 1;
};

const endOfLine = (bytes: Buffer, start: number): number => {
  let at = start;
  while (at < bytes.length && bytes[at] !== signs.lineFeed && bytes[at] !== signs.carriageReturn) at += 1;
  return at;
};

const afterLineBreak = (bytes: Buffer, start: number): number => {
  const at = bytes[start] === signs.carriageReturn ? start + 1 : start;
  return bytes[at] === signs.lineFeed ? at + 1 : at;
};
