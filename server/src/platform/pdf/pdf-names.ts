/** The names within one object of a PDF, as a lexer finds them: outside of strings and comments, with their `#xx` decoded. */
export interface ObjectNames {
  /** Of those that were looked for. */
  readonly names: ReadonlySet<string>;
  /** After the object. */
  readonly end: number;
  /** Where the data of a stream begin, when the object is one. */
  readonly stream?: number;
  /** The number behind the name `First`, where there is one. */
  readonly first?: number | undefined;
}

interface Options {
  readonly wanted: ReadonlySet<string>;
  /** The object is in a stream of objects: no word ends it. */
  readonly isPacked?: boolean;
}

/** A file as text of one character per byte, so that positions in both are the same. */
export const textOf = (file: Uint8Array): string => Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('latin1');

/** Behind white space: a comment, a name, a bracket or the beginning of one, a string in hexadecimal digits, or a word. */
const tokens = /[\0\t\n\f\r ]*(%[^\n\r]*|\/[^\0\t\n\f\r ()<>[\]{}/%]*|<<|>>|<[^>]*>?|[()[\]{}>]|[^\0\t\n\f\r ()<>[\]{}/%]+)/y;
const endOfData = /\r?\n?/y;

/** Reads from `start` to the end of the object and never throws. Within brackets, `endobj` and `stream` end nothing: some readers go on there. */
export const namesOfObject = (text: string, start: number, { wanted, isPacked = false }: Options): ObjectNames => {
  const names = new Set<string>();
  let at = start;
  let depth = 0;
  let first: number | undefined;
  for (;;) {
    tokens.lastIndex = at;
    const token = tokens.exec(text)?.[1];
    if (token === undefined) return { names, first, end: text.length };
    at = tokens.lastIndex;
    if (token.startsWith('%')) continue;
    if (token.startsWith('/')) {
      const name = decodeName(token.slice(1));
      if (wanted.has(name)) names.add(name);
      if (name === 'First') first = directNumber(text.slice(at, at + 64), /^[\0\t\n\f\r ]*(\d{1,10})(?!\d)/);
    } else if (token === '(') at = endOfString(text, at - 1);
    else if (token === '<<' || token === '[') depth += 1;
    else if (token === '>>' || token === '>' || token === ']') depth = Math.max(0, depth - 1);
    else if (depth === 0 && token.startsWith('endobj')) return { names, first, end: at - token.length + 'endobj'.length };
    else if (depth === 0 && token.startsWith('stream')) {
      const end = at - token.length + 'stream'.length;
      return { names, first, end, stream: end + tokenAt(text, end, endOfData).length };
    }
    if (isPacked && depth === 0) return { names, first, end: at };
  }
};

/** What `pattern`, which is sticky, finds at a position. */
export const tokenAt = (text: string, at: number, pattern: RegExp): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
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

const inString = /\\.|[()]/gs;

/** Brackets within a string nest, unless a backslash escapes them. */
const endOfString = (text: string, start: number): number => {
  let depth = 0;
  inString.lastIndex = start;
  for (let found = inString.exec(text); found !== null; found = inString.exec(text)) {
    if (found[0] === '(') depth += 1;
    else if (found[0] === ')') depth -= 1;
    if (depth === 0) return inString.lastIndex;
  }
  return text.length;
};
