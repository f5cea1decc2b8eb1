interface Shape {
  readonly width: number;
  readonly height: number;
  readonly components: number;
}

const [marker, startOfImage, endOfImage, startOfScan] = [0xff, 0xd8, 0xd9, 0xda];
/** Baseline, extended and progressive: browsers show no others. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
const [jfif, adobe, lastApplication, comment] = [0xe0, 0xee, 0xef, 0xfe];

/**
 * The JPEG without metadata (places, cameras, previews, comments, profiles): a browser would turn it or shift its colours by them, a PDF reader
 * does not. Undefined when it has another shape, ends too soon, or is of an unusual kind.
 */
export function plainJpeg(jpeg: Uint8Array, shape: Shape): Uint8Array<ArrayBuffer> | undefined {
  if (jpeg[0] !== marker || jpeg[1] !== startOfImage) return undefined;
  const kept: Uint8Array[] = [jpeg.subarray(0, 2)];
  let isShaped = false;
  let at = 2;
  while (at + 4 <= jpeg.length) {
    const kind = jpeg[at + 1] ?? 0;
    if (jpeg[at] !== marker) return undefined;
    const end = at + 2 + ((jpeg[at + 2] ?? 0) << 8) + (jpeg[at + 3] ?? 0);
    const segment = jpeg.subarray(at, end);
    if (end > jpeg.length || segment.length < 4) return undefined;
    if (kind === startOfScan) return isShaped ? joined([...kept, ...scanOf(jpeg, at)]) : undefined;
    if (frames.has(kind)) isShaped = hasShape(segment, shape);
    else if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)) return undefined;
    if (kind === adobe && segment[15] !== (shape.components === 3 ? yCbCr : 0)) return undefined;
    if (kind === jfif || kind === adobe || !isApart(kind)) kept.push(segment);
    at = end;
  }
  return undefined;
}

const yCbCr = 1;
const isApart = (kind: number): boolean => (kind >= jfif && kind <= lastApplication) || kind === comment;

/** Marker, length (2), precision, height (2), width (2), components, then three bytes each, their numbers first. */
function hasShape(frame: Uint8Array, { width, height, components }: Shape): boolean {
  const number = (at: number): number => ((frame[at] ?? 0) << 8) + (frame[at + 1] ?? 0);
  const numbers = Array.from({ length: components }, (_, index) => frame[10 + index * 3]);
  const isUsual = components === 1 || numbers.every((value, index) => value === index + 1);
  return frame[4] === 8 && number(5) === height && number(7) === width && frame[9] === components && isUsual;
}

/** To the end of the image; nothing when it has none. */
function scanOf(jpeg: Uint8Array, from: number): Uint8Array[] {
  const end = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength).lastIndexOf(Buffer.from([marker, endOfImage]));
  return end < from ? [] : [jpeg.subarray(from, end + 2)];
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | undefined {
  if (parts.at(-1)?.at(-1) !== endOfImage) return undefined;
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
