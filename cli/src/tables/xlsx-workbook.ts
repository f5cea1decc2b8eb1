import { dirname, posix } from 'node:path';
import type { Readable } from 'node:stream';
import sax, { type SAXParser, type Tag } from 'sax';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { UsageError } from '#errors.ts';
import { longestLine } from './text-lines.ts';

/** What of a workbook its cells need: the styles by their numbers, the texts that cells share, and where the first sheet is. */
export interface Workbook extends Disposable {
  /** The format of numbers of each style of cells. */
  readonly formats: readonly string[];
  readonly texts: readonly string[];
  /** Days are counted from 1904, as spreadsheets of the Mac did. */
  readonly isFrom1904: boolean;
  /** Its first sheet that is not hidden. */
  openSheet(): Promise<Readable>;
}

/** Unpacked; an archive of some kilobytes may say anything. */
const maxBytes = { description: 16 * 1024 ** 2, texts: 256 * 1024 ** 2, sheet: 1024 ** 3 };
const maxParts = 10_000;
const maxTexts = 4_000_000;
const maxDepth = 100;
const maxAttributes = 1_000;
/** As spreadsheets allow. */
const longestFormat = 255;

/** What a part of a workbook says cannot be. */
export class BrokenWorkbook extends Error {
  override readonly name = 'BrokenWorkbook';
}

interface XmlHandlers {
  /** Names without the prefix of their namespace. */
  readonly onOpen?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly onText?: (text: string) => void;
  readonly onClose?: (name: string) => void;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Hands on what a part has, a chunk of it at a time. */
export const readXml = async function* (bytes: Readable, { onOpen, onText, onClose }: XmlHandlers): AsyncGenerator<void> {
  let depth = 0;
  let attributes = 0;
  const limit = (count: number, max: number): void => {
    if (count > max) throw new BrokenWorkbook('its parts are too deep, or have too many attributes');
  };
  const events: Partial<SAXParser> = {
    onerror(error) {
      throw error;
    },
    ondoctype() {
      throw new BrokenWorkbook('a workbook has no document type');
    },
    onattribute() {
      attributes += 1;
      limit(attributes, maxAttributes);
    },
    onopentag(tag) {
      depth += 1;
      attributes = 0;
      limit(depth, maxDepth);
      // Without the option xmlns, attributes are plain texts.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      onOpen?.(localName(tag.name), (tag as Tag).attributes);
    },
    onclosetag(name) {
      depth -= 1;
      onClose?.(localName(name));
    },
    ontext: (text) => onText?.(text),
    oncdata: (text) => onText?.(text),
  };
  const parser = Object.assign(new sax.SAXParser(true), events);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
};

const readPart = async (bytes: Readable, handlers: XmlHandlers): Promise<void> => {
  for await (const _ of readXml(bytes, handlers));
};

class Parts {
  readonly #zip: ZipFile;
  readonly #entries = new Map<string, Entry>();

  constructor(zip: ZipFile) {
    this.#zip = zip;
  }

  async list(): Promise<void> {
    for await (const entry of this.#zip.eachEntry()) {
      if (this.#entries.size >= maxParts) throw new BrokenWorkbook(`more than ${maxParts} parts`);
      this.#entries.set(entry.fileName.toLowerCase(), entry);
    }
  }

  has(path: string): boolean {
    return this.#entries.has(path.toLowerCase());
  }

  async open(path: string, limit: number): Promise<Readable> {
    const entry = this.#entries.get(path.toLowerCase());
    if (entry === undefined) throw new BrokenWorkbook(`no part ${path}`);
    if (entry.uncompressedSize > limit) throw new UsageError(`the workbook is too large: ${path} has more than ${limit / 1024 ** 2} MB`);
    return this.#zip.openReadStreamPromise(entry);
  }
}

interface Relation {
  readonly kind: string;
  readonly path: string;
}

/** Of one part to others, by their ids. */
const readRelations = async (parts: Parts, part: string): Promise<ReadonlyMap<string, Relation>> => {
  const relations = new Map<string, Relation>();
  const folder = part === '' ? '' : dirname(part);
  const path = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  await readPart(await parts.open(path, maxBytes.description), {
    onOpen(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return;
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target);
      relations.set(Id, { kind: posix.basename(Type), path: target });
    },
  });
  return relations;
};

const pathOf = (relations: ReadonlyMap<string, Relation>, kind: string): string | undefined =>
  [...relations.values()].find((relation) => relation.kind === kind)?.path;

const readSheets = async (parts: Parts, path: string): Promise<{ isFrom1904: boolean; firstId: string }> => {
  const ids: string[] = [];
  let isFrom1904 = false;
  await readPart(await parts.open(path, maxBytes.description), {
    onOpen(name, attributes) {
      if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes['date1904'] ?? '');
      if (name !== 'sheet' || (attributes['state'] ?? 'visible') !== 'visible') return;
      const id = Object.entries(attributes).find(([attribute]) => attribute.endsWith(':id'))?.[1];
      if (id !== undefined) ids.push(id);
    },
  });
  const [firstId] = ids;
  if (firstId === undefined) throw new BrokenWorkbook('no sheet');
  return { isFrom1904, firstId };
};

/** The format of numbers of each style. Those that every program knows have no text; they are named by their number. */
const readFormats = async (parts: Parts, path: string | undefined): Promise<string[]> => {
  const codes = new Map<string, string>();
  const formats: string[] = [];
  let isOfCells = false;
  if (path !== undefined && parts.has(path))
    await readPart(await parts.open(path, maxBytes.description), {
      onOpen(name, { numFmtId = '0', formatCode = '' }) {
        if (name === 'numFmt') codes.set(numFmtId, formatCode.slice(0, longestFormat));
        if (name === 'cellXfs') isOfCells = true;
        if (name === 'xf' && isOfCells) formats.push(codes.get(numFmtId) ?? `#${numFmtId}`);
      },
      onClose(name) {
        if (name === 'cellXfs') isOfCells = false;
      },
    });
  return formats;
};

const escaped = /_x([0-9A-Fa-f]{4})_/g;

/** Characters that XML cannot hold are written as `_x000D_`. */
export const unescapeText = (text: string): string =>
  text.replaceAll(escaped, (_, hexadecimal: string) => String.fromCharCode(Number.parseInt(hexadecimal, 16)));

/** Texts in runs of different looks are one text; how a text is pronounced is none. */
const readTexts = async (parts: Parts, path: string | undefined): Promise<string[]> => {
  const texts: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  if (path !== undefined && parts.has(path))
    await readPart(await parts.open(path, maxBytes.texts), {
      onOpen(name) {
        if (name === 'si') text = '';
        if (name === 'rPh') isPhonetic = true;
        isText = name === 't' && !isPhonetic;
      },
      onText(more) {
        if (isText && text.length <= longestLine) text += more;
      },
      onClose(name) {
        isText = false;
        if (name === 'rPh') isPhonetic = false;
        if (name === 'si') texts.push(unescapeText(text));
        if (texts.length > maxTexts) throw new BrokenWorkbook(`more than ${maxTexts} texts`);
      },
    });
  return texts;
};

const read = async (zip: ZipFile): Promise<Workbook> => {
  const parts = new Parts(zip);
  await parts.list();
  const workbook = pathOf(await readRelations(parts, ''), 'officeDocument');
  if (workbook === undefined) throw new BrokenWorkbook('no workbook');
  const relations = await readRelations(parts, workbook);
  const { isFrom1904, firstId } = await readSheets(parts, workbook);
  const sheet = relations.get(firstId);
  if (sheet?.kind !== 'worksheet') throw new BrokenWorkbook('the first sheet has no cells');
  return {
    isFrom1904,
    formats: await readFormats(parts, pathOf(relations, 'styles')),
    texts: await readTexts(parts, pathOf(relations, 'sharedStrings')),
    openSheet: () => parts.open(sheet.path, maxBytes.sheet),
    [Symbol.dispose]: () => zip.close(),
  };
};

/** Throws what is broken in it. */
export const openWorkbook = async (path: string): Promise<Workbook> => {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    return await read(zip);
  } catch (error) {
    zip.close();
    throw error;
  }
};
