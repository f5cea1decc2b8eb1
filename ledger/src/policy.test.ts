import { expect, test } from 'vitest';
import { aSigner } from '../test/signers.ts';
import {
  cosign,
  emptyRoot,
  formatNote,
  formatVerifierKey,
  judge,
  MalformedError,
  parseCheckpoint,
  parsePolicy,
  signatureTypes,
  signCheckpoint,
} from './index.ts';

const log = aSigner('portal.example/log', 1);
const witnesses = [2, 3, 4].map((seed) => aSigner(`witness.example/w${seed}`, seed, signatureTypes.cosignature));
const logLine = `log ${formatVerifierKey(log.key)}\n`;
const witnessLines = witnesses
  .map(({ key }, index) => `witness w${index} ${formatVerifierKey(key)} https://witness.example/${index}\n`)
  .join('');
const [firstLine = ''] = witnessLines.split('\n');

const seenBy = (...places: readonly number[]) => {
  const checkpoint = parseCheckpoint(signCheckpoint({ origin: log.key.name, size: 1, root: emptyRoot }, log.key, log.sign));
  const cosignatures = places.flatMap((place) => {
    const witness = witnesses[place];
    return witness === undefined ? [] : [cosign(checkpoint, 100 + place, witness.key, witness.sign)];
  });
  return parseCheckpoint(formatNote({ text: checkpoint.note.text, signatures: [...checkpoint.note.signatures, ...cosignatures] }));
};

test('a quorum of two in three holds with any two witnesses, and tells which and when', () => {
  const policy = parsePolicy(`# whom we trust\n\n ${logLine}${witnessLines}group two 2 w0 w1 w2\n\tquorum two\n`);
  expect(judge(policy, seenBy(0))).toEqual({ isSigned: true, hasQuorum: false, witnesses: [{ name: 'w0', at: 100 }] });
  expect(judge(policy, seenBy(0, 2))).toMatchObject({
    hasQuorum: true,
    witnesses: [
      { name: 'w0', at: 100 },
      { name: 'w2', at: 102 },
    ],
  });
  expect(policy.witnesses.map(({ url }) => url)).toEqual([
    'https://witness.example/0',
    'https://witness.example/1',
    'https://witness.example/2',
  ]);
});

test('groups of groups ask for each of them, and a quorum of none asks for no witness', () => {
  const nested = parsePolicy(`${logLine}${witnessLines}group any-of any w0 w1\ngroup both all any-of w2\nquorum both\n`);
  expect([seenBy(0, 1), seenBy(2), seenBy(1, 2)].map((checkpoint) => judge(nested, checkpoint).hasQuorum)).toEqual([false, false, true]);
  expect(judge(parsePolicy(`${logLine}quorum none\n`), seenBy())).toEqual({ isSigned: true, hasQuorum: true, witnesses: [] });
});

test('a checkpoint of a log that the policy does not name is not signed', () => {
  const other = aSigner('other.example/log', 9);
  expect(judge(parsePolicy(`log ${formatVerifierKey(other.key)}\nquorum none\n`), seenBy()).isSigned).toBe(false);
});

test.for([
  ['has no quorum', logLine],
  ['has two quorums', 'quorum none\nquorum none\n'],
  ['has a quorum that is not defined', 'quorum w0\n'],
  ['has a quorum before its definition', `quorum w0\n${firstLine}\n`],
  ['calls a witness none', `${firstLine.replace(' w0 ', ' none ')}\nquorum none\n`],
  ['has a name twice', `${witnessLines}group w0 any w1\nquorum none\n`],
  ['has a key twice', `${firstLine}\n${firstLine.replace(' w0 ', ' again ')}\nquorum none\n`],
  ['has the key of a witness as a log', `log ${formatVerifierKey(witnesses[0]?.key ?? log.key)}\nquorum none\n`],
  ['has the key of a log as a witness', `witness w ${formatVerifierKey(log.key)}\nquorum none\n`],
  ['has a member in two groups', `${witnessLines}group a any w0\ngroup b any w0\nquorum none\n`],
  ['has a threshold of zero', `${witnessLines}group a 0 w0\nquorum none\n`],
  ['has a threshold above its members', `${witnessLines}group a 2 w0\nquorum none\n`],
  ['has a group of nothing', `${witnessLines}group a any\nquorum none\n`],
  ['has a group of itself', `${witnessLines}group a any a\nquorum none\n`],
  ['has a word of no meaning', 'trust everyone\nquorum none\n'],
  ['has a carriage return', 'quorum none\r\n'],
  ['does not end its last line', 'quorum none'],
  ['is too long', `${'# x\n'.repeat(70_000)}quorum none\n`],
])('a policy that %s is refused', ([, text]) => {
  expect(() => parsePolicy(text ?? '')).toThrow(MalformedError);
});
