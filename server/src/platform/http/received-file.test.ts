import { createHash } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { receiveFile, writeAll } from './received-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'received-'));
});
afterEach(() => rm(folder, { recursive: true }));

const pieceOf = (byte: number, size: number): Buffer => Buffer.from(new Uint8Array(size).fill(byte).buffer);

test.each([
  ['many large pieces', 65_536, 20],
  ['many small pieces', 100, 5_000],
  ['one piece', 10, 1],
  ['nothing', 0, 0],
])('%s are written in their order, and hashed', async (_, size, count) => {
  const whole = Buffer.concat(Array.from({ length: count }, (__, index) => pieceOf(index, size)));
  const path = join(folder, 'file');
  const received = await receiveFile(
    (async function* source() {
      for (let index = 0; index < count; index += 1) yield pieceOf(index, size);
    })(),
    path,
  );
  expect(received).toEqual({ path, sha256: createHash('sha256').update(whole).digest('hex'), size: whole.length });
  expect((await readFile(path)).equals(whole)).toBe(true);
});

test('the memory of what is written is free at once, but not of what only lies beside something else', async () => {
  const own = pieceOf(1, 300_000);
  const beside = pieceOf(2, 300_000);
  await receiveFile(
    (async function* source() {
      yield own;
      yield beside.subarray(1);
    })(),
    join(folder, 'file'),
  );
  expect(own).toHaveLength(0);
  expect(beside).toHaveLength(300_000);
});

test('hundreds of slow lines hold little in memory together', async () => {
  const held = new Set<Buffer>();
  const doors = Array.from({ length: 200 }, () => Promise.withResolvers<void>());
  const lines = doors.map((door, index) =>
    receiveFile(
      (async function* source() {
        for (let nth = 0; nth < 10; nth += 1) {
          const piece = pieceOf(index, 20_000);
          held.add(piece);
          yield piece;
        }
        // The connection stays open.
        await door.promise;
      })(),
      join(folder, String(index)),
    ),
  );
  const heldBytes = (): number => [...held].reduce((total, piece) => total + piece.length, 0);
  await expect.poll(() => held.size).toBe(2_000);
  await expect.poll(heldBytes).toBeLessThan(5 * 1024 * 1024);
  for (const door of doors) door.resolve();
  for (const { size } of await Promise.all(lines)) expect(size).toBe(200_000);
});

test('a source that breaks off is told as it is', async () => {
  const broken = receiveFile(
    (async function* source() {
      yield pieceOf(1, 10);
      throw new Error('the line broke');
    })(),
    join(folder, 'file'),
  );
  await expect(broken).rejects.toThrow('the line broke');
});

test('a place that cannot be written to is the store’s fault', async () => {
  const nothing = (async function* source() {})();
  await expect(receiveFile(nothing, join(folder, 'missing', 'file'))).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
});

test.each([0, 1, 9, 10, 15, 29, 30])('what a disk took %i bytes of is written to the end', async (taken) => {
  const pieces = [pieceOf(1, 10), pieceOf(2, 10), pieceOf(3, 10)];
  const path = join(folder, 'file');
  const file = await open(path, 'wx');
  try {
    await writeAll(
      {
        writev: async (buffers) => {
          const { bytesWritten } = await file.write(Buffer.concat(pieces), 0, taken);
          return { bytesWritten, buffers };
        },
        appendFile: (data) => file.appendFile(data),
      },
      pieces,
    );
  } finally {
    await file.close();
  }
  expect(await readFile(path)).toEqual(Buffer.concat(pieces));
});
