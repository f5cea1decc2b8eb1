import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { hashBytes, verifiedBytes } from './verified-bytes.ts';

const bytes = Buffer.from('the very bytes that were published');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const expected = { sha256, size: bytes.length };
const inPieces = (whole: Buffer, size: number): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(whole.length / size) }, (_, index) => whole.subarray(index * size, (index + 1) * size)),
    { objectMode: false },
  );

const onWrong = async (): Promise<Error> => new Error('wrong bytes');

const collect = async (stream: Readable): Promise<{ got: Buffer; error: unknown }> => {
  const got: Buffer[] = [];
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) got.push(chunk);
    return { got: Buffer.concat(got), error: undefined };
  } catch (error) {
    return { got: Buffer.concat(got), error };
  }
};

describe.each([1, 7, 1_000])('bytes that come in pieces of %i', (size) => {
  test('are handed on as they are', async () => {
    expect(await buffer(verifiedBytes(inPieces(bytes, size), { ...expected, onWrong }))).toEqual(bytes);
  });

  test.each([
    [0, 0],
    [0, 9],
    [3, 17],
    [10, bytes.length - 1],
    [bytes.length - 1, bytes.length - 1],
  ])('those from %i to %i are handed on alone', async (start, end) => {
    const part = verifiedBytes(inPieces(bytes, size), { ...expected, range: { start, end }, onWrong });
    expect(await buffer(part)).toEqual(bytes.subarray(start, end + 1));
  });

  test.each([2, bytes.length - 1])(
    'a part is not handed on to its end when byte %i of the file, outside of it, is another',
    async (wrongAt) => {
      const wrong = Buffer.from(bytes).fill('X', wrongAt, wrongAt + 1);
      const { got, error } = await collect(verifiedBytes(inPieces(wrong, size), { ...expected, range: { start: 4, end: 12 }, onWrong }));
      expect(error).toMatchObject({ message: 'wrong bytes' });
      expect(got.length).toBeLessThan(9);
    },
  );

  test.each([
    ['changed', Buffer.from(bytes).fill('X', 3, 4)],
    ['changed at the end', Buffer.from(bytes).fill('X', bytes.length - 1)],
    ['too few', bytes.subarray(0, -1)],
    ['too many', Buffer.concat([bytes, Buffer.from('!')])],
    ['missing', Buffer.alloc(0)],
  ])('bytes in pieces that are %s are never handed on to the end', async (_, wrong) => {
    const { got, error } = await collect(verifiedBytes(inPieces(wrong, size), { ...expected, onWrong }));
    expect(error).toMatchObject({ message: 'wrong bytes' });
    expect(got.length).toBeLessThan(bytes.length);
  });
});

test('a wrong file of one piece is not even begun', async () => {
  const { got } = await collect(verifiedBytes(inPieces(Buffer.from(bytes).fill('X', 3, 4), 1_000), { ...expected, onWrong }));
  expect(got).toHaveLength(0);
});

test('the last byte waits until what must come before it is done', async () => {
  let seen = 0;
  const stream = verifiedBytes(inPieces(bytes, 10), {
    ...expected,
    onWrong,
    beforeLast: async () => expect(seen).toBeLessThan(bytes.length),
  });
  for await (const chunk of stream as AsyncIterable<Buffer>) seen += chunk.length;
  expect(seen).toBe(bytes.length);
});

test('a source that breaks off breaks the stream', async () => {
  const source = Readable.from(
    (async function* breaks() {
      yield bytes.subarray(0, 5);
      throw new Error('disk gone');
    })(),
    { objectMode: false },
  );
  expect((await collect(verifiedBytes(source, { ...expected, onWrong }))).error).toMatchObject({ message: 'disk gone' });
});

test('nothing at all has a checksum too', async () => {
  const empty = { sha256: createHash('sha256').digest('hex'), size: 0 };
  expect(await hashBytes(inPieces(Buffer.alloc(0), 5))).toEqual(empty);
  expect(await hashBytes(inPieces(bytes, 5))).toEqual(expected);
});

test('a file whose reader left before the first byte is closed', async () => {
  const source = inPieces(bytes, 1_000);
  verifiedBytes(source, { ...expected, onWrong }).destroy();
  await expect.poll(() => source.destroyed).toBe(true);
});
