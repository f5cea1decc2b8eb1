import { beforeEach, expect, test } from 'vitest';
import { hashBlob } from './hash-blob.ts';
import { FileUnreadable, hashFile, prepareHashing } from './hash-file.ts';

const pieceBytes = 64 * 1024;
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const blobOf = (size: number): Blob => new Blob([Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) & 255)]);
const patient = { signal: new AbortController().signal, onProgress: () => undefined };

beforeEach(prepareHashing);

test('a file is hashed to its SHA-256, an empty one too', async () => {
  expect(await hashFile(new Blob(['abc']), patient)).toBe(abc);
  expect(await hashFile(new Blob([]), patient)).toBe(nothing);
});

test.each([0, 1, 63, 64, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes + 17])(
  'piece by piece it comes out as it does in one piece, at %d bytes',
  async (size) => {
    const file = blobOf(size);
    const progress: number[] = [];
    const inPieces = await hashBlob(file, (bytesDone) => progress.push(bytesDone), { wholeBelow: -1, pieceBytes });
    expect(inPieces).toBe(await hashBlob(file, () => undefined));
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1) ?? 0).toBe(size);
  },
);

test('what is broken off ends at once, and the next file is hashed all the same', async () => {
  const control = new AbortController();
  const hashing = hashFile(blobOf(8 * pieceBytes), { ...patient, signal: control.signal });
  control.abort();
  await expect(hashing).rejects.toThrow('broken off');
  await expect(hashFile(new Blob(['abc']), { ...patient, signal: control.signal })).rejects.toThrow('aborted');
  expect(await hashFile(new Blob(['abc']), patient)).toBe(abc);
});

test('a file that cannot be read says so', async () => {
  const unreadable = new Blob(['abc']);
  // The worker gets a copy of what it is sent; what it cannot be sent, or read, fails there.
  await expect(hashFile({ size: 5 } as Blob, patient)).rejects.toThrow(FileUnreadable);
  expect(await hashFile(unreadable, patient)).toBe(abc);
});
