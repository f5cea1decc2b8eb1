import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyConsistency, verifyInclusion } from './index.ts';

const vectors = join(import.meta.dirname, '../test/vectors');

interface Vector {
  readonly proof: readonly string[] | null;
  readonly wantErr: boolean;
  readonly leafIdx: number;
  readonly treeSize: number;
  readonly root: string;
  readonly leafHash: string;
  readonly size1: number;
  readonly size2: number;
  readonly root1: string | null;
  readonly root2: string | null;
}

/** Indexes and sizes go up to 2^64 - 1, more than a number holds: those are beyond every tree, and stay so when they are rounded. */
const filesOf = (kind: string): readonly (readonly [string, Vector])[] =>
  readdirSync(join(vectors, kind), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(join(vectors, kind, name), 'utf8')) as Vector]);

const bytes = (base64: string | null): Uint8Array => new Uint8Array(Buffer.from(base64 ?? '', 'base64'));

test('every inclusion proof of the public vectors is judged as they say', () => {
  const files = filesOf('inclusion');
  expect(files).toHaveLength(98);
  const verdicts = files.map(([name, { leafIdx: index, treeSize: size, root, leafHash, proof }]) => [
    name,
    !verifyInclusion({ index, size, root: bytes(root), leaf: bytes(leafHash), proof: (proof ?? []).map(bytes) }),
  ]);
  expect(verdicts).toEqual(files.map(([name, { wantErr }]) => [name, wantErr]));
});

test('every consistency proof of the public vectors is judged as they say', () => {
  const files = filesOf('consistency');
  expect(files).toHaveLength(98);
  const verdicts = files.map(([name, { size1, size2, root1, root2, proof }]) => [
    name,
    !verifyConsistency({ oldSize: size1, size: size2, oldRoot: bytes(root1), root: bytes(root2), proof: (proof ?? []).map(bytes) }),
  ]);
  expect(verdicts).toEqual(files.map(([name, { wantErr }]) => [name, wantErr]));
});
