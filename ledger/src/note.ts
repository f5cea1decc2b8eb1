import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf, concat, equalBytes, fromBase64, fromHex, textOf, toBase64, toHex } from './bytes.ts';
import { MalformedError } from './malformed.ts';

/** C2SP signed-note: which algorithm a key is for. Others are kept, and verify nothing. */
export const signatureTypes = { ed25519: 0x01, cosignature: 0x04, mlDsaCosignature: 0x06 } as const;

/** A verifier key. Its name and its id together say whose a signature is. */
export interface VerifierKey {
  readonly name: string;
  readonly id: Uint8Array;
  readonly type: number;
  readonly publicKey: Uint8Array;
}

export interface NoteSignature {
  readonly name: string;
  readonly id: Uint8Array;
  readonly signature: Uint8Array;
}

export interface Note {
  /** With its last newline, without the blank line. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const maxNoteLength = 256 * 1024;
const maxSignatures = 64;

const isKeyName = (name: string): boolean => /^[^\s\u0085+]+$/u.test(name);

const keyId = (name: string, type: number, publicKey: Uint8Array): Uint8Array =>
  sha256(concat(bytesOf(`${name}\n`), Uint8Array.of(type), publicKey)).subarray(0, 4);

/** Throws MalformedError for a name with spaces or a plus sign. */
export const verifierKey = (name: string, type: number, publicKey: Uint8Array): VerifierKey => {
  if (!isKeyName(name)) throw new MalformedError('the name of a key is empty, or has a space or a plus sign');
  return { name, id: keyId(name, type, publicKey), type, publicKey };
};

/** `NAME+ID+KEY`, the text in which a key is given to others. */
export const formatVerifierKey = ({ name, id, type, publicKey }: VerifierKey): string =>
  `${name}+${toHex(id)}+${toBase64(concat(Uint8Array.of(type), publicKey))}`;

const publicKeyLengths = new Map<number, number>([
  [signatureTypes.ed25519, 32],
  [signatureTypes.cosignature, 32],
  [signatureTypes.mlDsaCosignature, 1312],
]);

/** Throws MalformedError, for a wrong id and for a kind of signature that is not known here, too. */
export const parseVerifierKey = (text: string): VerifierKey => {
  const parts = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/su.exec(text);
  if (parts === null) throw new MalformedError('a key is not NAME+ID+KEY');
  const [, name = '', id = '', encoded = ''] = parts;
  const [type = 0, ...publicKey] = fromBase64(encoded, 'a key');
  if (publicKeyLengths.get(type) !== publicKey.length) throw new MalformedError('a key is of no known kind, or has a wrong length');
  const key = verifierKey(name, type, Uint8Array.from(publicKey));
  if (!equalBytes(key.id, fromHex(id, 'the id of a key'))) throw new MalformedError('the id of a key does not belong to it');
  return key;
};

/** `— NAME SIGNATURE` with its newline. */
export const formatSignature = ({ name, id, signature }: NoteSignature): string => `— ${name} ${toBase64(concat(id, signature))}\n`;

export const formatNote = ({ text, signatures }: Note): string => `${text}\n${signatures.map(formatSignature).join('')}`;

const parseSignature = (line: string): NoteSignature => {
  const parts = /^— (\S+) (\S+)$/u.exec(line);
  const [, name = '', encoded = ''] = parts ?? [];
  if (!isKeyName(name)) throw new MalformedError('a signature line is not "— NAME SIGNATURE"');
  const bytes = fromBase64(encoded, 'a signature');
  if (bytes.length < 5) throw new MalformedError('a signature is too short');
  return { name, id: bytes.subarray(0, 4), signature: bytes.subarray(4) };
};

/** Lines that end with a newline each; none for the empty text. Throws MalformedError, for more than 64 lines, too. */
export const parseSignatures = (text: string): readonly NoteSignature[] => {
  if (text === '') return [];
  if (!text.endsWith('\n')) throw new MalformedError('the last signature does not end its line');
  const lines = text.slice(0, -1).split('\n');
  if (lines.length > maxSignatures) throw new MalformedError('there are too many signatures');
  return lines.map(parseSignature);
};

/** Says nothing about whether a signature is right. Throws MalformedError, for more than 256 KiB or 64 signatures, too. */
export const parseNote = (note: Uint8Array | string): Note => {
  if (note.length > maxNoteLength) throw new MalformedError('a note is too long');
  const whole = typeof note === 'string' ? note : textOf(note);
  // oxlint-disable-next-line no-control-regex -- they are what a note must not have
  if (/[\u0000-\u0009\u000B-\u001F]/.test(whole)) throw new MalformedError('a note has control characters');
  const end = whole.lastIndexOf('\n\n');
  if (end === -1) throw new MalformedError('a note has no blank line before its signatures');
  const signatures = parseSignatures(whole.slice(end + 2));
  if (signatures.length === 0) throw new MalformedError('a note has no signature');
  return { text: whole.slice(0, end + 1), signatures };
};

/** The signatures of a note that say that they are by this key. */
export const signaturesBy = ({ signatures }: Note, { name, id }: VerifierKey): readonly NoteSignature[] =>
  signatures.filter((signature) => signature.name === name && equalBytes(signature.id, id));
