import { keyBytes } from './cobblestone.ts';
import { encryptPieces, unwrapKey } from './wrapping.ts';

/** Whole small files, encrypted (AES-256-GCM) between two marks: one that a power cut has torn has lost the second. */
export interface Sealing {
  /** `context`: what it is; it opens for that alone. */
  seal(bytes: Buffer, context: string): Buffer;
  /** Undefined when it was not sealed, is torn or altered, or is something else. */
  open(sealed: Buffer, context: string): Buffer | undefined;
}

const sealedMarkBytes = 8;
const first = Buffer.from('pgm-enc1');
const last = Buffer.from('pgm-end1');

/** By its first and its last bytes. */
export const isSealed = (head: Buffer, tail: Buffer): boolean => head.equals(first) && tail.equals(last);

export const createSealing = (key: Buffer): Sealing => {
  if (key.length !== keyBytes) throw new RangeError(`a key has ${keyBytes} bytes`);
  return {
    seal: (bytes, context) => Buffer.concat([first, ...encryptPieces(key, bytes, context), last]),
    open(sealed, context) {
      if (!isSealed(sealed.subarray(0, sealedMarkBytes), sealed.subarray(-sealedMarkBytes))) return undefined;
      try {
        return unwrapKey(key, sealed.subarray(sealedMarkBytes, -sealedMarkBytes), context);
      } catch {
        return undefined;
      }
    },
  };
};
