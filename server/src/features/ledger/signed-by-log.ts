import { createPublicKey, verify } from 'node:crypto';
import { type Checkpoint, signaturesBy, signatureTypes, type VerifierKey } from '@pergamin/ledger';

/** Of a DER-encoded Ed25519 public key (RFC 8410), up to the key itself. */
const spkiOfEd25519 = Buffer.from('302a300506032b6570032100', 'hex');

/** `isSignedBy` by the platform's own Ed25519, a sixtieth of the time: each publication, and an opening after each new checkpoint, waits for it. */
export const isSignedByLog = ({ origin, note }: Checkpoint, key: VerifierKey): boolean => {
  const signatures = signaturesBy(note, key);
  if (key.type !== signatureTypes.ed25519 || key.name !== origin || signatures.length === 0) return false;
  const publicKey = createPublicKey({ key: Buffer.concat([spkiOfEd25519, key.publicKey]), format: 'der', type: 'spki' });
  const message = Buffer.from(note.text);
  return signatures.every(({ signature }) => verify(null, message, publicKey, signature));
};
