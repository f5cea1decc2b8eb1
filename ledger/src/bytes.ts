import { MalformedError } from './malformed.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** As UTF-8. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Throws MalformedError for bytes that are not UTF-8. */
export const textOf = (bytes: Uint8Array): string => {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new MalformedError('is not UTF-8');
  }
};

export const concat = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
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

export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Lower case only. Throws MalformedError. */
export const fromHex = (text: string, what: string): Uint8Array => {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new MalformedError(`${what} is not hexadecimal`);
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
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
