import { ml_dsa44 as mlDsa } from '@noble/post-quantum/ml-dsa.js';
import { bytesOf, concat, integerBytes } from './bytes.ts';
import { checkpointText, type Checkpoint, type TreeHead } from './checkpoint.ts';
import { type NoteSignature, signaturesBy, signatureTypes, type VerifierKey } from './note.ts';
import { type Sign, verifyEd25519 } from './signing.ts';

const ed25519Message = (text: string, time: number): Uint8Array => bytesOf(`cosignature/v1\ntime ${time}\n${text}`);

const withLength = (text: string): Uint8Array => {
  const bytes = bytesOf(text);
  return concat(integerBytes(bytes.length, 1), bytes);
};

/** The structure `cosigned_message` of C2SP tlog-cosignature, of a whole tree. */
const mlDsaMessage = ({ origin, size, root }: TreeHead, name: string, time: number): Uint8Array =>
  concat(
    bytesOf('subtree/v1\n\0'),
    withLength(name),
    integerBytes(time, 8),
    withLength(origin),
    integerBytes(0, 8),
    integerBytes(size, 8),
    root,
  );

/** That of a witness, by Ed25519. `time` in seconds since 1970. */
export const cosign = (checkpoint: Checkpoint | TreeHead, time: number, key: VerifierKey, sign: Sign): NoteSignature => {
  const text = 'note' in checkpoint ? checkpoint.note.text : checkpointText(checkpoint);
  return { name: key.name, id: key.id, signature: concat(integerBytes(time, 8), sign(ed25519Message(text, time))) };
};

const verifyOne = (checkpoint: Checkpoint, { signature }: NoteSignature, key: VerifierKey): number | undefined => {
  if (signature.length < 9) return undefined;
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  if (time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const seconds = Number(time);
  const bytes = signature.subarray(8);
  if (key.type === signatureTypes.cosignature)
    return verifyEd25519(bytes, ed25519Message(checkpoint.note.text, seconds), key.publicKey) ? seconds : undefined;
  if (key.type !== signatureTypes.mlDsaCosignature || bytes.length !== 2420) return undefined;
  return mlDsa.verify(bytes, mlDsaMessage(checkpoint, key.name, seconds), key.publicKey) ? seconds : undefined;
};

/** When this witness saw the tree, in seconds since 1970; undefined when it has not cosigned it, or one of its signatures is wrong. */
export const cosignedAt = (checkpoint: Checkpoint, key: VerifierKey): number | undefined => {
  const times = signaturesBy(checkpoint.note, key).map((signature) => verifyOne(checkpoint, signature, key));
  return times.includes(undefined) ? undefined : times[0];
};
