import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { MalformedError } from './malformed.ts';

export { bytesToHex as toHex, concatBytes as concat, utf8ToBytes as bytesOf };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws MalformedError for bytes that are not UTF-8. */
export const textOf = (bytes: Uint8Array): string => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new MalformedError('is not UTF-8');
  }
};

export const equalBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

export const toBase64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

/** RFC 4648, section 4, with padding and no other way to write the same bytes. Throws MalformedError. */
export const fromBase64 = (text: string, what: string): Uint8Array => {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw new MalformedError(`${what} is not base64`);
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (toBase64(bytes) !== text) throw new MalformedError(`${what} is not canonical base64`);
  return bytes;
};

/** Lower case only. Throws MalformedError. */
export const fromHex = (text: string, what: string): Uint8Array => {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new MalformedError(`${what} is not hexadecimal`);
  return hexToBytes(text);
};

/** Big-endian, of 1, 2 or 8 bytes. */
export const integerBytes = (value: number, length: 1 | 2 | 8): Uint8Array => {
  if (!Number.isSafeInteger(value) || value < 0 || (length < 8 && value >= 256 ** length)) throw new RangeError('does not fit its bytes');
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  if (length === 1) view.setUint8(0, value);
  else if (length === 2) view.setUint16(0, value);
  else view.setBigUint64(0, BigInt(value));
  return bytes;
};

/** ASCII decimal without leading zeros, at most 2^53 - 1. Throws MalformedError. */
export const fromDecimal = (text: string, what: string): number => {
  const value = Number(text);
  if (!/^(?:0|[1-9]\d{0,15})$/.test(text) || !Number.isSafeInteger(value))
    throw new MalformedError(`${what} is not a number of this format`);
  return value;
};
