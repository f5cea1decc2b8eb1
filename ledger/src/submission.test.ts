import { expect, test } from 'vitest';
import { createTileFiles } from '../test/naive-tree.ts';
import { aSigner } from '../test/signers.ts';
import { bytesOf } from './bytes.ts';
import {
  emptyEdge,
  emptyRoot,
  formatSubmission,
  growTree,
  judgeSubmission,
  leafHash,
  MalformedError,
  maxSubmissionLength,
  parseCheckpoint,
  parseSubmission,
  proveConsistency,
  rootOfEdge,
  signCheckpoint,
  type Submission,
} from './index.ts';

const log = aSigner('portal.example/log', 1);
const leaves = Array.from({ length: 9 }, (_, index) => leafHash(bytesOf(`entry ${index}`)));
const headOf = (size: number) => ({ origin: log.key.name, size, root: rootOfEdge(growTree(emptyEdge, leaves.slice(0, size)).edge) });

const submit = async (oldSize: number, size: number): Promise<Submission> => {
  const files = createTileFiles();
  files.write(growTree(emptyEdge, leaves.slice(0, size)).tiles);
  const proof = oldSize <= size ? await proveConsistency(oldSize, size, files.read) : [];
  return { oldSize, proof, checkpoint: parseCheckpoint(signCheckpoint(headOf(size), log.key, log.sign)) };
};

const stranger = aSigner('portal.example/log', 2);

test.for([
  ['the first checkpoint', 200, submit(0, 5), undefined],
  ['an empty tree', 200, submit(0, 0), undefined],
  ['a continuation', 200, submit(5, 9), 5],
  ['the same tree again', 200, submit(5, 5), 5],
  ['an old size above the new one', 400, submit(6, 5), 5],
  ['an old size that is not the last one', 409, submit(4, 9), 5],
  ['a first checkpoint after another one', 409, submit(0, 9), 5],
  ['a proof of another tree', 422, submit(5, 9).then((one) => ({ ...one, proof: one.proof.toReversed() })), 5],
  ['a proof with one hash more', 422, submit(5, 9).then((one) => ({ ...one, proof: [...one.proof, emptyRoot] })), 5],
  ['a proof of the first checkpoint', 422, submit(0, 5).then((one) => ({ ...one, proof: [emptyRoot] })), undefined],
  [
    'an empty tree with another root',
    422,
    submit(0, 0).then((one) => ({
      ...one,
      checkpoint: parseCheckpoint(signCheckpoint({ ...headOf(0), root: leafHash(bytesOf('x')) }, log.key, log.sign)),
    })),
    undefined,
  ],
  [
    'another root of the same size',
    422,
    submit(5, 5).then((one) => ({
      ...one,
      checkpoint: parseCheckpoint(signCheckpoint({ ...headOf(5), root: emptyRoot }, log.key, log.sign)),
    })),
    5,
  ],
  [
    'the signature of another key',
    403,
    submit(0, 5).then((one) => ({ ...one, checkpoint: parseCheckpoint(signCheckpoint(headOf(5), stranger.key, stranger.sign)) })),
    undefined,
  ],
] as const)('a witness answers %s with %i', async ([, status, submission, lastSize]) => {
  const last = lastSize === undefined ? undefined : headOf(lastSize);
  expect(judgeSubmission(parseSubmission(bytesOf(formatSubmission(await submission))), { keys: [log.key], last })).toBe(status);
});

test.for([
  ['no old size', (text: string) => text.replace('old 5\n', '')],
  ['an old size with a leading zero', (text: string) => text.replace('old 5', 'old 05')],
  ['a line of no base64', (text: string) => text.replace('old 5\n', 'old 5\nno hash\n')],
  ['64 hashes', (text: string) => text.replace('old 5\n', `old 5\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(64)}`)],
  ['no blank line', (text: string) => text.replace('\n\n', '\n')],
  ['too many bytes', (text: string) => text + 'x'.repeat(maxSubmissionLength)],
] as const)('a submission with %s is refused', async ([, damage]) => {
  const text = formatSubmission(await submit(5, 9));
  expect(() => parseSubmission(bytesOf(damage(text)))).toThrow(MalformedError);
});
