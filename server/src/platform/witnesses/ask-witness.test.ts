import {
  cosign,
  emptyEdge,
  formatSignature,
  growTree,
  leafHash,
  parseCheckpoint,
  proveConsistency,
  rootOfEdge,
  signatureTypes,
  signCheckpoint,
} from '@pergamin/ledger';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newKey, startWitnessPeer, type WitnessPeer } from '#testing/witness-peer.ts';
import { askWitness } from './ask-witness.ts';

const own = newKey('portal.example/log', signatureTypes.ed25519);
let peer: WitnessPeer;

beforeEach(async () => {
  peer = await startWitnessPeer('w1');
  peer.watch(own.key);
});
afterEach(() => peer[Symbol.asyncDispose]());

/** A log of entries that are told apart by their history. */
const aTree = (size: number, history = 0) => {
  const leaves = Array.from({ length: size }, (_, index) => leafHash(Uint8Array.of(history, index)));
  const { edge, tiles } = growTree(emptyEdge, leaves);
  const read = async ({ level, index }: { level: number; index: number }) => {
    const tile = tiles.find((one) => one.level === level && one.index === index);
    if (tile === undefined) throw new Error('there is no such tile');
    return tile.bytes;
  };
  const head = { origin: own.key.name, size, root: rootOfEdge(edge) };
  return {
    checkpoint: parseCheckpoint(signCheckpoint(head, own.key, own.sign)),
    // A partial tile of the smaller tree is the beginning of this one's.
    proofFrom: (oldSize: number) => proveConsistency(oldSize, size, async (tile) => (await read(tile)).subarray(0, tile.width * 32)),
  };
};

const ask = async (tree: ReturnType<typeof aTree>, oldSize: number, proof?: readonly Uint8Array[]) =>
  askWitness(peer.witness, {
    checkpoint: tree.checkpoint,
    oldSize,
    proof: proof ?? (await tree.proofFrom(oldSize)),
    logKey: own.key,
    signal: AbortSignal.timeout(5_000),
  });

describe('a witness that keeps to the rules', () => {
  test('cosigns the first tree and one that continues it', async () => {
    expect(await ask(aTree(3), 0)).toMatchObject({ kind: 'cosigned', signature: { name: peer.witness.key.name } });
    expect(await ask(aTree(7), 3)).toMatchObject({ kind: 'cosigned' });
    expect(peer.last.get(own.key.name)?.size).toBe(7);
  });

  test('tells the size that it knows when the log believes another one', async () => {
    await ask(aTree(3), 0);
    expect(await ask(aTree(7), 0)).toEqual({ kind: 'behind', size: 3 });
  });

  test('shows the log’s own signature under a larger tree: a fork', async () => {
    await ask(aTree(7), 0);
    expect(await ask(aTree(5), 0)).toMatchObject({ kind: 'fork', evidence: { size: 7 } });
  });

  test('shows the log’s own signature under another tree of the same size: a fork', async () => {
    await ask(aTree(7), 0);
    expect(await ask(aTree(7, 1), 7, [])).toMatchObject({ kind: 'fork', evidence: { size: 7 } });
  });
});

describe('a witness that lies, fails or is slow', () => {
  test('cannot claim a larger tree without a checkpoint that the log has signed', async () => {
    peer.answerWith((response) => response.writeHead(409).end('900\n'));
    expect(await ask(aTree(7), 0)).toEqual({ kind: 'ahead', size: 900 });
    const other = newKey(own.key.name, signatureTypes.ed25519);
    peer.last.set(own.key.name, parseCheckpoint(signCheckpoint({ ...aTree(9).checkpoint, origin: other.key.name }, other.key, other.sign)));
    expect(await ask(aTree(7), 0)).toEqual({ kind: 'ahead', size: 900 });
  });

  test.each([
    ['a signature of another key', '— w1 AAAAAAAAAAAAAAAAAAAAAAAA\n', 'its cosignature does not verify'],
    ['no signature', '', 'its cosignature does not verify'],
    ['a page of HTML', '<html></html>\n', 'its answer cannot be read'],
    ['an endless answer', `${'x'.repeat(70_000)}\n`, 'its answer is too long'],
  ])('counts for nothing when it answers with %s', async (_, body, reason) => {
    peer.answerWith((response) => response.end(body));
    expect(await ask(aTree(7), 0)).toEqual({ kind: 'failed', reason });
  });

  test('counts for nothing when its cosignature is of another tree', async () => {
    const before = aTree(3).checkpoint;
    peer.answerWith((response) => response.end(formatSignature(cosign(before, 1_700_000_000, peer.own.key, peer.own.sign))));
    expect(await ask(aTree(7), 0)).toEqual({ kind: 'failed', reason: 'its cosignature does not verify' });
  });

  test.each([
    ['500', 500],
    ['403', 403],
    ['a redirect', 302],
  ])('counts for nothing when it answers %s', async (_, status) => {
    peer.answerWith((response) => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end());
    expect(await ask(aTree(7), 0)).toEqual({ kind: 'failed', reason: `it answered ${status}` });
  });

  test('is given up when the time is over', async () => {
    peer.answerWith(() => undefined);
    const tree = aTree(7);
    const answer = await askWitness(peer.witness, {
      checkpoint: tree.checkpoint,
      oldSize: 0,
      proof: [],
      logKey: own.key,
      signal: AbortSignal.abort(new Error('over')),
    });
    expect(answer).toEqual({ kind: 'failed', reason: 'over' });
  });

  test('that does not listen is told as such', async () => {
    await peer[Symbol.asyncDispose]();
    expect(await ask(aTree(7), 0)).toMatchObject({ kind: 'failed', reason: expect.stringContaining('ECONNREFUSED') });
    peer = await startWitnessPeer('w1');
  });
});
