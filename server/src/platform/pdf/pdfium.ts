import { init, type Methods } from '@embedpdf/pdfium';
import { findBundledFont, getFontByHandle, type FontFile } from './bundled-fonts.ts';

/** One instance of the engine, with its own memory. It is dropped with its document. */
export interface Pdfium {
  readonly api: Methods;
  /** Those that were wanted because a document does not hold them. Undefined: the engine took one of its own. */
  readonly substitutes: ReadonlySet<FontFile | undefined>;
  /** @NOTE A view of the memory is detached whenever the engine grows it: take a new one after every call. */
  bytes(): Uint8Array;
  numbers(): DataView;
  /** Address of new memory. Throws when the limit is reached. */
  allocate(size: number): number;
  /** Address 0 is ignored. */
  release(address: number): void;
}

export async function createPdfium(module: WebAssembly.Module, heapLimitBytes: number): Promise<Pdfium> {
  let memory: WebAssembly.Memory | undefined;
  const options = {
    print: ignore,
    printErr: ignore,
    instantiateWasm(imports: WebAssembly.Imports, onInstance: (instance: WebAssembly.Instance) => void) {
      const limited = limitHeap(imports, heapLimitBytes);
      const instance = new WebAssembly.Instance(module, limited);
      const exported = instance.exports['memory'];
      if (isMemory(exported)) memory = exported;
      onInstance(instance);
      return instance.exports;
    },
  };
  const wrapped = await init(options);
  if (!memory) throw new Error('the PDF engine exports no memory');
  const held = memory;
  const substitutes = new Set<FontFile | undefined>();
  const pdfium: Pdfium = {
    api: wrapped,
    substitutes,
    bytes: () => new Uint8Array(held.buffer),
    numbers: () => new DataView(held.buffer),
    allocate(size) {
      const address = wrapped.pdfium.wasmExports.malloc(size);
      if (address === 0) throw new Error(`the PDF engine has no ${size} bytes left`);
      return address;
    },
    release: (address) => wrapped.pdfium.wasmExports.free(address),
  };
  wrapped.PDFiumExt_Init();
  installFonts(pdfium, {
    addFunction: (callback, signature) => Number(wrapped.pdfium.addFunction(callback, signature)),
    onFont: (font) => substitutes.add(font),
  });
  return pdfium;
}

function ignore() {}

function isMemory(value: unknown): value is WebAssembly.Memory {
  return typeof value === 'object' && value !== null && 'buffer' in value;
}

function limitHeap(imports: WebAssembly.Imports, heapLimitBytes: number): WebAssembly.Imports {
  const env = imports['env'] ?? {};
  const resize = env['emscripten_resize_heap'];
  if (typeof resize !== 'function') throw new Error('the PDF engine no longer asks to grow its memory: its limit would be void');
  const refused = 0;
  const limited = (wantedBytes: number): unknown =>
    wantedBytes >>> 0 > heapLimitBytes ? refused : Reflect.apply(resize, undefined, [wantedBytes]);
  return { ...imports, env: { ...env, emscripten_resize_heap: limited } };
}

interface FontOptions {
  addFunction(this: void, callback: (...args: number[]) => number | void, signature: string): number;
  onFont(this: void, font: FontFile | undefined): void;
}

/** Without this, letters outside Latin-1 silently vanish from every PDF that does not embed its fonts. */
function installFonts(pdfium: Pdfium, { addFunction, onFont }: FontOptions): void {
  const wholeFile = 0;
  const ansiCharset = 0;

  function textAt(address: number): string {
    const bytes = pdfium.bytes();
    return Buffer.from(bytes.subarray(address, bytes.indexOf(0, address))).toString('latin1');
  }
  function copyOut(source: Uint8Array, buffer: number, size: number): number {
    if (buffer !== 0 && size >= source.length) pdfium.bytes().set(source, buffer);
    return source.length;
  }
  function mapFont(_self = 0, weight = 0, italic = 0, charset = 0, pitchFamily = 0, face = 0): number {
    const font = findBundledFont({ name: textAt(face), weight, italic: italic !== 0, charset, pitchFamily });
    onFont(font);
    return font?.handle ?? 0;
  }
  function getFont(_self = 0, face = 0): number {
    return findBundledFont({ name: textAt(face), weight: 0, italic: false, charset: ansiCharset, pitchFamily: 0 })?.handle ?? 0;
  }
  function getFontData(_self = 0, handle = 0, table = 0, buffer = 0, size = 0): number {
    const font = getFontByHandle(handle);
    const data = font && (table === wholeFile ? font.data : findTable(font, table));
    return data ? copyOut(data, buffer, size) : 0;
  }
  function getFaceName(_self = 0, handle = 0, buffer = 0, size = 0): number {
    const font = getFontByHandle(handle);
    return font ? copyOut(Buffer.from(`${font.name}\0`, 'latin1'), buffer, size) : 0;
  }

  // FPDF_SYSFONTINFO, version 1: the version and eight function pointers in this order.
  // @NOTE Each needs a function of its own: the same one added again keeps its first signature.
  const fields = [
    1,
    addFunction(() => {}, 'vi'),
    addFunction(() => {}, 'vii'),
    addFunction(mapFont, 'iiiiiiii'),
    addFunction(getFont, 'iii'),
    addFunction(getFontData, 'iiiiii'),
    addFunction(getFaceName, 'iiiii'),
    addFunction(() => ansiCharset, 'iii'),
    addFunction(() => {}, 'vii'),
  ];
  const info = pdfium.allocate(fields.length * 4);
  for (const [index, field] of fields.entries()) pdfium.numbers().setUint32(info + index * 4, field, true);
  pdfium.api.FPDF_SetSystemFontInfo(info);
}

/** A table of a TrueType file by its tag, read as a big-endian number. */
function findTable(font: FontFile, tag: number): Uint8Array | undefined {
  const file = new DataView(font.data.buffer, font.data.byteOffset, font.data.byteLength);
  const tables = file.getUint16(4);
  for (let entry = 12; entry < 12 + tables * 16; entry += 16) {
    if (file.getUint32(entry) !== tag >>> 0) continue;
    const start = file.getUint32(entry + 8);
    return font.data.subarray(start, start + file.getUint32(entry + 12));
  }
  return undefined;
}
