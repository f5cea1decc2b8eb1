import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTileFiles, naiveRoot, nativeSha256 } from '../test/naive-tree.ts';
import {
  emptyEdge,
  emptyRoot,
  growTree,
  joinEntries,
  leafHash,
  MalformedError,
  parseTilePath,
  proveConsistency,
  proveInclusion,
  readEdge,
  rootOfEdge,
  splitEntries,
  tilePath,
  verifyConsistency,
  verifyInclusion,
  widthOf,
} from './index.ts';

const leavesOf = (size: number): readonly Uint8Array[] =>
  Array.from({ length: size }, (_, index) => leafHash(new TextEncoder().encode(`entry ${index}`), nativeSha256));

const aTree = (sizes: readonly number[]) => {
  const files = createTileFiles();
  const leaves = leavesOf(sizes.at(-1) ?? 0);
  let edge = emptyEdge;
  const roots = new Map<number, Uint8Array>([[0, emptyRoot]]);
  for (const size of sizes) {
    const grown = growTree(edge, leaves.slice(edge.size, size), nativeSha256);
    files.write(grown.tiles);
    ({ edge } = grown);
    roots.set(size, rootOfEdge(edge, nativeSha256));
  }
  return { files, leaves, edge, roots };
};

test('a tile is named as C2SP tlog-tiles says', () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
  expect(tilePath({ level: 'entries', index: 0, width: 112 })).toBe('tile/entries/000.p/112');
  expect(tilePath({ level: 2, index: 1_000, width: 1 })).toBe('tile/2/x001/000.p/1');
});

test.for([
  'tile/0/0',
  'tile/0/x001',
  'tile/00/001',
  'tile/64/001',
  'tile/0/x000/001',
  'tile/0/001.p/0',
  'tile/0/001.p/256',
  'tile/0/001.p/01',
  'tile/0/../001',
  'tile/0/001/',
  'tile/data/001',
  `tile/0/${'x999/'.repeat(7)}999`,
])('%s is not the path of a tile', (path) => {
  expect(parseTilePath(path)).toBeUndefined();
});

test('a path that was made of a name is read as that name again', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 0, max: 63 }), fc.constant('entries' as const)),
      fc.nat({ max: 2 ** 40 }),
      fc.integer({ min: 1, max: 256 }),
      (level, index, width) => {
        expect(parseTilePath(tilePath({ level, index, width }))).toEqual({ level, index, width });
      },
    ),
    { numRuns: 200 },
  );
});

test('a tree of 70 000 leaves has the tiles that the specification names', () => {
  expect([widthOf(0, 272, 70_000), widthOf(0, 273, 70_000), widthOf(0, 274, 70_000)]).toEqual([256, 112, 0]);
  expect([widthOf(1, 0, 70_000), widthOf(1, 1, 70_000), widthOf(2, 0, 70_000), widthOf(3, 0, 70_000)]).toEqual([256, 17, 1, 0]);
});

test('a tree that grows in batches of any size has the root, and the edge, of the same leaves at once', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 }), (batches) => {
      let sum = 0;
      const { leaves, roots } = aTree(batches.map((batch) => (sum += batch)));
      for (const [size, root] of roots) expect(root).toEqual(naiveRoot(leaves.slice(0, size)));
    }),
    { numRuns: 20, seed: 19 },
  );
});

test.for([1, 255, 256, 257, 65_535, 65_536, 65_537])(
  'at %i leaves every proof that is made of tiles holds, and none for another leaf',
  async (size) => {
    const sizes = [...new Set([1, Math.max(1, size - 300), size - 1, size])].filter((one) => one > 0 && one <= size);
    const { files, leaves, roots } = aTree(sizes);
    const root = roots.get(size) ?? emptyRoot;
    expect(root).toEqual(naiveRoot(leaves));
    for (const index of new Set([0, 1, 254, 255, 256, size >> 1, size - 2, size - 1])) {
      const leaf = leaves[index];
      if (leaf === undefined) continue;
      const proof = await proveInclusion(index, size, files.read);
      expect(verifyInclusion({ index, size, root, leaf, proof })).toBe(true);
      expect(verifyInclusion({ index, size, root, leaf: leafHash(new Uint8Array()), proof })).toBe(false);
      expect(verifyInclusion({ index: size - 1 - index, size, root, leaf, proof })).toBe(index === size - 1 - index);
    }
    for (const oldSize of sizes) {
      const oldRoot = roots.get(oldSize) ?? emptyRoot;
      const proof = await proveConsistency(oldSize, size, files.read);
      expect(verifyConsistency({ oldSize, oldRoot, size, root, proof })).toBe(true);
      expect(verifyConsistency({ oldSize, oldRoot: emptyRoot, size, root, proof })).toBe(false);
    }
  },
);

test('between any two sizes of a tree there is a proof of consistency, and it fails for any other root', async () => {
  const sizes = Array.from({ length: 70 }, (_, index) => index + 1).concat([255, 256, 257, 511, 512, 513]);
  const { files, roots } = aTree(sizes);
  for (const size of [7, 64, 70, 257, 513])
    for (const oldSize of sizes.filter((one) => one <= size)) {
      const [oldRoot = emptyRoot, root = emptyRoot] = [roots.get(oldSize), roots.get(size)];
      const proof = await proveConsistency(oldSize, size, files.read);
      expect(verifyConsistency({ oldSize, oldRoot, size, root, proof })).toBe(true);
      expect(verifyConsistency({ oldSize, oldRoot, size, root, proof: [...proof, root] })).toBe(false);
      expect(verifyConsistency({ oldSize, oldRoot, size, root: oldRoot, proof })).toBe(oldSize === size);
    }
});

test.for([0, 1, 255, 256, 300, 65_536, 65_700])('the edge of %i leaves, read from the tiles, is the one that grew', async (size) => {
  const { files, edge } = aTree(size === 0 ? [] : [size]);
  const read = await readEdge(size, files.read);
  expect(rootOfEdge(read)).toEqual(rootOfEdge(edge));
  const more = leavesOf(10);
  expect(growTree(read, more).tiles).toEqual(growTree(edge, more).tiles);
});

test('a bundle of entries that was cut, or has one more, is refused', () => {
  const entries = [Uint8Array.of(1, 2, 3), new Uint8Array(), new Uint8Array(300)];
  const bundle = joinEntries(entries);
  expect(splitEntries(bundle, 3)).toEqual(entries);
  for (let length = 0; length < bundle.length; length += 1)
    expect(() => splitEntries(bundle.subarray(0, length), 3)).toThrow(MalformedError);
  expect(() => splitEntries(bundle, 2)).toThrow(MalformedError);
});
