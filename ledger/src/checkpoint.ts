import { bytesOf, fromBase64, fromDecimal, toBase64 } from './bytes.ts';
import { MalformedError } from './malformed.ts';
import type { Hash } from './merkle.ts';
import { formatNote, type Note, parseNote, signaturesBy, signatureTypes, type VerifierKey } from './note.ts';
import { type Sign, verifyEd25519 } from './signing.ts';

/** The head of a log's tree (C2SP tlog-checkpoint). */
export interface TreeHead {
  /** Which log it is. */
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
}

export interface Checkpoint extends TreeHead {
  readonly note: Note;
}

export const checkpointText = ({ origin, size, root }: TreeHead): string => `${origin}\n${size}\n${toBase64(root)}\n`;

const readText = (text: string): TreeHead => {
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n');
  if (origin === '' || extensions.includes('')) throw new MalformedError('a checkpoint has an empty line');
  const hash = fromBase64(root, 'the root of a checkpoint');
  if (hash.length !== 32) throw new MalformedError('the root of a checkpoint is no SHA-256');
  return { origin, size: fromDecimal(size, 'the size of a checkpoint'), root: hash };
};

/** Says nothing about its signatures. Throws MalformedError. */
export const parseCheckpoint = (text: Uint8Array | string): Checkpoint => {
  const note = parseNote(text);
  return { ...readText(note.text), note };
};

/** A checkpoint with the log's own signature. */
export const signCheckpoint = (head: TreeHead, key: VerifierKey, sign: Sign): string => {
  const text = checkpointText(head);
  return formatNote({ text, signatures: [{ name: key.name, id: key.id, signature: sign(bytesOf(text)) }] });
};

/** By the log: at least one signature by the key, and none by it that is wrong, and the key's own origin. */
export const isSignedBy = ({ origin, note }: Checkpoint, key: VerifierKey): boolean => {
  const signatures = signaturesBy(note, key);
  if (key.type !== signatureTypes.ed25519 || key.name !== origin || signatures.length === 0) return false;
  const message = bytesOf(note.text);
  return signatures.every(({ signature }) => verifyEd25519(signature, message, key.publicKey));
};
