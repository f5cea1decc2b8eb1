import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Up to here the browser's own hash is faster by far; it takes a file in one piece only. */
const wholeBelowBytes = 64 * 1024 * 1024;
const usualPieceBytes = 8 * 1024 * 1024;

/**
 * SHA-256 of a file, 64 hex digits. A large one is read piece by piece, so that its size costs time and no memory. Browsers keep their own hash
 * from pages without a secure connection: there every file is read so. Throws what the browser throws when the file cannot be read (any more).
 */
export const hashBlob = async (
  file: Blob,
  onProgress: (bytesDone: number) => void,
  options: { readonly wholeBelow?: number; readonly pieceBytes?: number } = {},
): Promise<string> => {
  const { wholeBelow = wholeBelowBytes, pieceBytes = usualPieceBytes } = options;
  // Undefined where the connection is not secure, whatever its type says.
  const own: unknown = Reflect.get(crypto, 'subtle');
  if (file.size <= wholeBelow && own !== undefined)
    return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())));
  const hash = sha256.create();
  const read = (at: number): Promise<ArrayBuffer> => file.slice(at, at + pieceBytes).arrayBuffer();
  // While one piece is hashed the next one is read.
  let reading = read(0);
  for (let at = 0; at < file.size; at += pieceBytes) {
    const piece = await reading;
    reading = read(at + pieceBytes);
    hash.update(new Uint8Array(piece));
    onProgress(Math.min(file.size, at + pieceBytes));
  }
  return bytesToHex(hash.digest());
};
