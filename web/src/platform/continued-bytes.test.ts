import { expect, test } from 'vitest';
import { readContinued } from './continued-bytes.ts';

const bytes = Uint8Array.from({ length: 100 }, (_, index) => index);
const etag = '"a"';
const line = new TypeError('network error');

/** Gives these pieces, and breaks then. */
const broken = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> => {
  const rest = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = rest.shift();
      if (piece === undefined) controller.error(line);
      else controller.enqueue(piece);
    },
  });
};
const answer = (body: BodyInit, status = 200): Response =>
  new Response(body, { status, headers: { etag, 'content-type': 'application/pdf' } });
const isBroken = (error: unknown): boolean => error === line;
const contentOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

test('a file whose line breaks twice is asked for from where it broke, and comes whole', async () => {
  const asked: unknown[] = [];
  const rest = [answer(broken([bytes.slice(40, 70)]), 206), answer(bytes.slice(70), 206)];
  const whole = await readContinued(answer(broken([bytes.slice(0, 30), bytes.slice(30, 40)])), {
    again: async (headers) => {
      asked.push(headers);
      return rest.shift() ?? Response.error();
    },
    isBroken,
    pausesMs: [0],
  });
  expect(await contentOf(whole)).toEqual(bytes);
  expect(whole.type).toBe('application/pdf');
  expect(asked).toEqual([
    { range: 'bytes=40-', 'if-range': etag },
    { range: 'bytes=70-', 'if-range': etag },
  ]);
});

test('of a file that is another one meanwhile nothing of the first copy is kept', async () => {
  const other = bytes.slice(50);
  const whole = await readContinued(answer(broken([bytes.slice(0, 30)])), { again: async () => answer(other), isBroken, pausesMs: [0] });
  expect(await contentOf(whole)).toEqual(other);
});

test('a line that stays broken is the failure of the download', async () => {
  let attempts = 0;
  const again = async (): Promise<Response> => {
    attempts += 1;
    throw line;
  };
  await expect(readContinued(answer(broken([bytes.slice(0, 30)])), { again, isBroken, pausesMs: [0, 0, 0] })).rejects.toBe(line);
  expect(attempts).toBe(3);
});

test('a refusal meanwhile is not asked again', async () => {
  const refused = new Error('refused');
  const again = async (): Promise<Response> => {
    throw refused;
  };
  await expect(readContinued(answer(broken([])), { again, isBroken, pausesMs: [0, 0] })).rejects.toBe(refused);
});
