import { concat } from './bytes.ts';
import { MalformedError } from './malformed.ts';
import { emptyRoot, type Hash, nodeHash, type Sha256 } from './merkle.ts';

/** Hashes side by side in a full tile, and entries in a full bundle (C2SP tlog-tiles). */
export const tileWidth = 256;

const hashLength = 32;

/** One file of the log. `level` "entries" is a bundle of entries. `width`: 1 to 256. */
export interface TileName {
  readonly level: number | 'entries';
  readonly index: number;
  readonly width: number;
}

/** As C2SP tlog-tiles names it: `tile/0/x001/x234/067`, of a partial one with `.p/W` behind it. */
export const tilePath = ({ level, index, width }: TileName): string => {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const path = groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${path}${width === tileWidth ? '' : `.p/${width}`}`;
};

/** Undefined for a path that `tilePath` never gives. */
export const parseTilePath = (path: string): TileName | undefined => {
  const parts = /^tile\/(entries|0|[1-5]?\d|6[0-3])\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (parts === null) return undefined;
  const [, level = '', groups = '', width] = parts;
  const name: TileName = {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups.replaceAll(/[x/]/g, '')),
    width: width === undefined ? tileWidth : Number(width),
  };
  return Number.isSafeInteger(name.index) && tilePath(name) === path ? name : undefined;
};

/** How many hashes the tile has in a tree of this size; 0: it is not there. */
export const widthOf = (level: number, index: number, size: number): number =>
  Math.max(0, Math.min(tileWidth, Math.floor(size / tileWidth ** level) - index * tileWidth));

export const splitTile = (bytes: Uint8Array, width: number): readonly Hash[] => {
  if (bytes.length !== width * hashLength) throw new MalformedError('a tile has not the length that its width says');
  return Array.from({ length: width }, (_, place) => bytes.subarray(place * hashLength, (place + 1) * hashLength));
};

/** Entries of one bundle, each behind its length of two bytes. */
export const joinEntries = (entries: readonly Uint8Array[]): Uint8Array =>
  concat(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 255), entry]));

/** Throws MalformedError when the bytes are not exactly `width` entries. */
export const splitEntries = (bytes: Uint8Array, width: number): readonly Uint8Array[] => {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [high, low] = bytes.subarray(at, at + 2);
    const end = at + 2 + (high ?? 0) * 256 + (low ?? 0);
    if (low === undefined || end > bytes.length) throw new MalformedError('a bundle of entries ends within one');
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  if (entries.length !== width) throw new MalformedError('a bundle has not the entries that its width says');
  return entries;
};

const largestPowerBelow = (size: number): number => {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
};

/** The root of hashes that stand side by side (RFC 6962, section 2.1). */
const rootOfHashes = (hashes: readonly Hash[], hash?: Sha256): Hash => {
  const [only] = hashes;
  if (only === undefined) return emptyRoot;
  if (hashes.length === 1) return only;
  const split = largestPowerBelow(hashes.length);
  return nodeHash(rootOfHashes(hashes.slice(0, split), hash), rootOfHashes(hashes.slice(split), hash), hash);
};

/** What is needed to append: the size, and of each level the hashes of its last tile while that is not full, level 0 first. */
export interface Edge {
  readonly size: number;
  readonly partial: readonly (readonly Hash[])[];
}

export const emptyEdge: Edge = { size: 0, partial: [] };

/** The root of the whole tree. */
export const rootOfEdge = ({ partial }: Edge, hash?: Sha256): Hash => {
  let root: Hash | undefined;
  for (const hashes of partial) {
    let rest = hashes;
    // From the right: each complete subtree within the tile, smallest first.
    while (rest.length > 0) {
      const width = rest.length & -rest.length;
      const subtree = rootOfHashes(rest.slice(rest.length - width), hash);
      root = root === undefined ? subtree : nodeHash(subtree, root, hash);
      rest = rest.slice(0, rest.length - width);
    }
  }
  return root ?? emptyRoot;
};

export interface WrittenTile extends TileName {
  readonly level: number;
  readonly bytes: Uint8Array;
}

/** Appends leaves; gives the new edge, and every tile that is new or wider than before, as it is afterwards. */
export const growTree = (
  edge: Edge,
  leaves: readonly Hash[],
  hash?: Sha256,
): { readonly edge: Edge; readonly tiles: readonly WrittenTile[] } => {
  const partial = edge.partial.map((hashes) => [...hashes]);
  const tiles: WrittenTile[] = [];
  let added = leaves;
  for (let level = 0; added.length > 0; level += 1) {
    const before = Math.floor(edge.size / tileWidth ** level);
    let index = Math.floor(before / tileWidth);
    let hashes = partial[level] ?? [];
    const full: Hash[] = [];
    for (let at = 0; at < added.length;) {
      const taken = added.slice(at, at + tileWidth - hashes.length);
      at += taken.length;
      hashes = [...hashes, ...taken];
      tiles.push({ level, index, width: hashes.length, bytes: concat(...hashes) });
      if (hashes.length < tileWidth) break;
      full.push(rootOfHashes(hashes, hash));
      hashes = [];
      index += 1;
    }
    partial[level] = hashes;
    added = full;
  }
  return { edge: { size: edge.size + leaves.length, partial }, tiles };
};

/** Gives the bytes of a tile; called for tiles only that a tree of the size in question has, with their width in it. */
export type ReadTile = (name: TileName & { readonly level: number }) => Promise<Uint8Array>;

/** Of one proof: most of its hashes lie in a few tiles, each of which is read once. */
const reader = (size: number, read: ReadTile) => {
  const known = new Map<string, Promise<readonly Hash[]>>();
  const readOne = async (level: number, index: number): Promise<readonly Hash[]> => {
    const width = widthOf(level, index, size);
    return splitTile(await read({ level, index, width }), width);
  };
  return (level: number, index: number): Promise<readonly Hash[]> => {
    const name = `${level}/${index}`;
    const hashes = known.get(name) ?? readOne(level, index);
    known.set(name, hashes);
    return hashes;
  };
};

/** The hashes of the last tiles of a tree, read from the log: where an append goes on after a start. */
export const readEdge = async (size: number, read: ReadTile): Promise<Edge> => {
  const tile = reader(size, read);
  const partial: (readonly Hash[])[] = [];
  for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / tileWidth))
    partial.push(count % tileWidth === 0 ? [] : await tile(level, Math.floor(count / tileWidth)));
  return { size, partial };
};

/** RFC 6962, section 2.1: hashes of ranges and the proofs made of them, from the tiles of a tree of this size. */
const rangesOf = (size: number, read: ReadTile, hash?: Sha256) => {
  const tile = reader(size, read);
  // Aligned and complete, so it lies within one tile of the level that is nearest below.
  const subtree = async (start: number, width: number): Promise<Hash> => {
    let level = 0;
    while (width >= tileWidth ** (level + 1)) level += 1;
    const span = tileWidth ** level;
    const first = start / span;
    const hashes = await tile(level, Math.floor(first / tileWidth));
    return rootOfHashes(hashes.slice(first % tileWidth, (first % tileWidth) + width / span), hash);
  };
  const range = async (start: number, end: number): Promise<Hash> => {
    const width = end - start;
    const split = largestPowerBelow(width);
    if (width === 1 || split * 2 === width) return subtree(start, width);
    return nodeHash(await subtree(start, split), await range(start + split, end), hash);
  };
  return range;
};

/** From the leaf's sibling up (RFC 6962, section 2.1.1). Throws RangeError when the tree has no such leaf. */
export const proveInclusion = async (index: number, size: number, read: ReadTile, hash?: Sha256): Promise<readonly Hash[]> => {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) throw new RangeError('the tree has no such leaf');
  const range = rangesOf(size, read, hash);
  const proof: Hash[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    if (index < middle) {
      proof.unshift(await range(middle, end));
      end = middle;
    } else {
      proof.unshift(await range(start, middle));
      start = middle;
    }
  }
  return proof;
};

/** RFC 6962, section 2.1.2. Empty for equal sizes and for the empty tree. Throws RangeError when the old tree is larger. */
export const proveConsistency = async (oldSize: number, size: number, read: ReadTile, hash?: Sha256): Promise<readonly Hash[]> => {
  if (oldSize > size) throw new RangeError('the old tree is the larger one');
  if (oldSize === 0 || oldSize === size) return [];
  const range = rangesOf(size, read, hash);
  const proof: Hash[] = [];
  let [start, end] = [0, size];
  while (end !== oldSize) {
    const middle = start + largestPowerBelow(end - start);
    if (oldSize <= middle) {
      proof.unshift(await range(middle, end));
      end = middle;
    } else {
      proof.unshift(await range(start, middle));
      start = middle;
    }
  }
  // The old tree's own last subtree is not told when it is the whole old tree: the verifier has its root.
  return start === 0 ? proof : [await range(start, end), ...proof];
};
