const tailBytes = 4096;

/**
 * Whether bytes precede the header and positions count from the start of the file: the engine counts from the header, and rebuilds tables that are
 * whole.
 */
export const isCountedFromStart = (file: Uint8Array): boolean => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.toString('latin1', 0, '%PDF-'.length) === '%PDF-') return false;
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - tailBytes));
  const position = Number(/startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(tail)?.[1] ?? bytes.length);
  return /^\s*(?:xref\b|\d+\s+\d+\s+obj\b)/.test(bytes.toString('latin1', position, position + 40));
};
