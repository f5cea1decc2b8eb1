import { sha256 } from '@noble/hashes/sha2.js';
import { concat, equalBytes } from './bytes.ts';

/** Of 32 bytes. */
export type Hash = Uint8Array;

/** A faster SHA-256 of the caller's platform may stand in; every function of a tree takes one. */
export type Sha256 = (bytes: Uint8Array) => Hash;

/** RFC 6962, section 2.1: the hash of the empty string. */
export const emptyRoot: Hash = sha256(new Uint8Array());

const leafPrefix = Uint8Array.of(0);

export const leafHash = (entry: Uint8Array, hash: Sha256 = sha256): Hash => hash(concat(leafPrefix, entry));

/** Used again for every node, as making it takes longer than hashing it. */
const node = new Uint8Array(65);
node[0] = 1;

export const nodeHash = (left: Hash, right: Hash, hash: Sha256 = sha256): Hash => {
  node.set(left, 1);
  node.set(right, 33);
  return hash(node);
};

const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);
const areHashes = (hashes: readonly Uint8Array[]): boolean => hashes.every(({ length }) => length === 32);

interface Inclusion {
  /** From 0. */
  readonly index: number;
  readonly size: number;
  readonly leaf: Hash;
  readonly root: Hash;
  /** From the leaf's sibling up. */
  readonly proof: readonly Hash[];
}

/** RFC 9162, section 2.1.3.2. */
export const verifyInclusion = ({ index, size, leaf, root, proof }: Inclusion): boolean => {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  if (!areHashes([leaf, root, ...proof])) return false;
  let at = index;
  let last = size - 1;
  let reached = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      reached = nodeHash(sibling, reached);
      while (!isOdd(at) && at !== 0) {
        at = half(at);
        last = half(last);
      }
    } else reached = nodeHash(reached, sibling);
    at = half(at);
    last = half(last);
  }
  return last === 0 && equalBytes(reached, root);
};

interface Consistency {
  readonly oldSize: number;
  readonly oldRoot: Hash;
  readonly size: number;
  readonly root: Hash;
  readonly proof: readonly Hash[];
}

/** RFC 9162, section 2.1.4.2. A tree of size 0 is consistent with every tree and has no proof: false, the caller decides. */
export const verifyConsistency = ({ oldSize, oldRoot, size, root, proof }: Consistency): boolean => {
  if (!Number.isSafeInteger(oldSize) || !Number.isSafeInteger(size) || oldSize < 1 || oldSize > size) return false;
  if (oldSize === size) return proof.length === 0 && equalBytes(oldRoot, root);
  if (!areHashes([oldRoot, root, ...proof])) return false;
  let at = oldSize - 1;
  let last = size - 1;
  while (isOdd(at)) {
    at = half(at);
    last = half(last);
  }
  const [first, ...rest] = at === 0 ? [oldRoot, ...proof] : proof;
  if (first === undefined || (at === 0 && proof.length === 0)) return false;
  let reachedOld = first;
  let reached = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      reachedOld = nodeHash(sibling, reachedOld);
      reached = nodeHash(sibling, reached);
      while (!isOdd(at) && at !== 0) {
        at = half(at);
        last = half(last);
      }
    } else reached = nodeHash(reached, sibling);
    at = half(at);
    last = half(last);
  }
  return last === 0 && equalBytes(reachedOld, oldRoot) && equalBytes(reached, root);
};
