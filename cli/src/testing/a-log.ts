import { createPrivateKey, createPublicKey, sign as signNatively } from 'node:crypto';
import {
  type Checkpoint,
  emptyEdge,
  formatSubmission,
  growTree,
  leafHash,
  parseCheckpoint,
  proveConsistency,
  rootOfEdge,
  signCheckpoint,
  tilePath,
  verifierKey,
} from '@pergamin/ledger';

/** A log of numbered entries, which tells other entries from the place `forkedAt` on. Its key is always the same. */
export const aLog = (name = 'portal.example/log', { forkedAt = Infinity } = {}) => {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 1)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  const key = verifierKey(name, 1, Uint8Array.from(publicKey));
  const entry = (index: number) => leafHash(new TextEncoder().encode(`${index < forkedAt ? 'entry' : 'other'} ${index}`));
  const grow = (size: number) =>
    growTree(
      emptyEdge,
      Array.from({ length: size }, (_, index) => entry(index)),
    );
  const sign = (message: Uint8Array): Uint8Array => Uint8Array.from(signNatively(null, message, privateKey));
  const checkpoint = (size: number): Checkpoint => {
    const head = { origin: name, size, root: rootOfEdge(grow(size).edge) };
    return parseCheckpoint(signCheckpoint(head, key, sign));
  };
  return {
    key,
    sign,
    checkpoint,
    /** The body of a submission to a witness. */
    async submission(oldSize: number, size: number): Promise<string> {
      const tiles = new Map(grow(size).tiles.map((tile) => [tilePath(tile), tile.bytes]));
      const proof = await proveConsistency(oldSize, size, async (tile) => tiles.get(tilePath(tile)) ?? new Uint8Array());
      return formatSubmission({ oldSize, proof, checkpoint: checkpoint(size) });
    },
  };
};
