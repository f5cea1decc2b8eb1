import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksum, log, ofEveryEvent, receiptsOf } from '../test/receipts.ts';
import {
  formatReceipt,
  formatVerifierKey,
  isProved,
  MalformedError,
  outcomeOf,
  parsePolicy,
  parseReceipt,
  parseStatement,
  type ReceiptVerdict,
  type StatementEvent,
  statementEvents,
  verifyReceipt,
} from './index.ts';

const isNight = process.env['NIGHTLY'] === '1';
const policy = parsePolicy(`log ${formatVerifierKey(log.key)}\nquorum none\n`);

test('a receipt proves its own file: the same bytes, the statement, its place in the log, the signature', async () => {
  const [, , receipt = ''] = await receiptsOf(300);
  const verdict = verifyReceipt(receipt, { sha256: checksum('file 2'), policy });
  expect(verdict).toMatchObject({
    isSameFile: true,
    opensStatement: true,
    isIncluded: true,
    isSigned: true,
    place: { index: 2, size: 300, origin: 'portal.example/log' },
    statement: { documentId: 'document-2', owner: 'cif:2\ncif:ż2' },
  });
  expect(isProved(verdict)).toBe(true);
  expect(formatReceipt(parseReceipt(receipt))).toBe(receipt);
});

test('another file fails at the first question only, and another log’s key at the last', async () => {
  const [receipt = ''] = await receiptsOf(3);
  expect(verifyReceipt(receipt, { sha256: checksum('another'), policy })).toMatchObject({
    isSameFile: false,
    opensStatement: true,
    isIncluded: true,
    isSigned: true,
  });
  const stranger = parsePolicy('quorum none\n');
  expect(verifyReceipt(receipt, { sha256: checksum('file 0'), policy: stranger })).toMatchObject({ isIncluded: true, isSigned: false });
});

test('a receipt of which one character is another one is no longer proved, and never throws', async () => {
  const [, receipt = ''] = await receiptsOf(5);
  const isStillProved = (changed: string) => isProved(verifyReceipt(changed, { sha256: checksum('file 1'), policy }));
  const characters = fc.constantFrom('A', '9', '+', '=', '\n', ' ', '—', '\0', 'ą');
  expect(
    fc.check(
      fc.property(
        fc.nat({ max: receipt.length - 1 }),
        characters,
        (place, character) =>
          isStillProved(`${receipt.slice(0, place)}${character}${receipt.slice(place + 1)}`) === (receipt[place] === character),
      ),
      { numRuns: isNight ? 5_000 : 60, seed: 7 },
    ).counterexample,
  ).toBeNull();
});

test.for([
  ['its first line', (text: string) => text.replace('@v1', '@v2')],
  ['no index', (text: string) => text.replace(/index \d+\n/, '')],
  ['an index with a leading zero', (text: string) => text.replace('index ', 'index 0')],
  ['two extra lines', (text: string) => text.replace(/^extra .*$/m, '$&\n$&')],
  ['a hash of 31 bytes', (text: string) => text.replace(/^index .*$/m, `$&\n${Buffer.alloc(31).toString('base64')}`)],
  ['64 hashes', (text: string) => text.replace(/^index .*$/m, `$&${`\n${Buffer.alloc(32).toString('base64')}`.repeat(64)}`)],
  ['carriage returns', (text: string) => text.replaceAll('\n', '\r\n')],
  ['no checkpoint', (text: string) => text.slice(0, text.indexOf('\n\n'))],
] as const)('a receipt that is wrong in %s is refused', async ([, damage]) => {
  const [, receipt = ''] = await receiptsOf(5);
  expect(() => parseReceipt(damage(receipt))).toThrow(MalformedError);
  expect(isProved(verifyReceipt(damage(receipt), { sha256: checksum('file 1'), policy }))).toBe(false);
});

test('a proof with a hash more or less, or an index beyond the log, is not included', async () => {
  const [, receipt = ''] = await receiptsOf(5);
  const parsed = parseReceipt(receipt);
  const damaged = [
    { ...parsed, proof: parsed.proof.slice(1) },
    { ...parsed, proof: [...parsed.proof, ...parsed.proof.slice(0, 1)] },
    { ...parsed, index: 5 },
    { ...parsed, index: 2 ** 53 - 1 },
  ];
  for (const one of damaged)
    expect(verifyReceipt(formatReceipt(one), { sha256: checksum('file 1'), policy })).toMatchObject({
      opensStatement: true,
      isIncluded: false,
    });
});

test('a statement is read only as it is written, whatever byte is cut off or added', async () => {
  const [, receipt = ''] = await receiptsOf(2);
  const { extra = new Uint8Array() } = parseReceipt(receipt);
  for (let length = 0; length < extra.length; length += 1) expect(() => parseStatement(extra.subarray(0, length))).toThrow(MalformedError);
  expect(() => parseStatement(Uint8Array.from([...extra, 0]))).toThrow(MalformedError);
  expect(() => parseStatement(extra.with(16, 99))).toThrow(MalformedError);
});

describe('an authentic receipt proves its own event', () => {
  test.for([
    ['PUBLISHED', 'proved'],
    ['STATE_CHANGED', 'otherEvent'],
    ['NOTIFIED', 'otherEvent'],
    ['RECEIVED', 'received'],
    ['RETENTION_EXTENDED', 'otherEvent'],
    ['FORGOTTEN', 'otherEvent'],
  ] as const)('one of %s, asked for a publication, is %s', async ([event, outcome]) => {
    const [receipt = ''] = await receiptsOf(1, () => ({ event }));
    const verdict = verifyReceipt(receipt, { sha256: checksum('file 0'), policy });
    expect(outcomeOf(verdict)).toBe(outcome);
    expect(isProved(verdict)).toBe(event === 'PUBLISHED');
    for (const asked of Object.keys(statementEvents) as readonly StatementEvent[])
      expect(isProved(verdict, asked), `asked for ${asked}`).toBe(asked === event);
  });

  test('and with another file, or by a stranger’s key, none of them', async () => {
    const receipts = await receiptsOf(6, ofEveryEvent);
    for (const [index, receipt] of receipts.entries()) {
      const { event } = ofEveryEvent(index);
      expect(outcomeOf(verifyReceipt(receipt, { sha256: checksum('another'), policy }), event)).toBe('notProved');
      const stranger = parsePolicy('quorum none\n');
      expect(outcomeOf(verifyReceipt(receipt, { sha256: checksum(`file ${index}`), policy: stranger }), event)).toBe('notProved');
    }
  });
});

/** As the verifier in Python words it. */
const inPython = (verdict: ReceiptVerdict): string => {
  const { statement } = verdict;
  if (statement === undefined || outcomeOf(verdict, statement.event) === 'notProved') return 'no';
  return statement.event === 'PUBLISHED' || statement.event === 'RECEIVED' ? statement.event.toLowerCase() : statement.event;
};

test('a verifier of Python’s standard library alone agrees on every receipt of every event and state, good and damaged', async ({
  skip,
}) => {
  const python = spawnSync('python3', ['--version']).status === 0;
  if (!python) skip('python3 is not on this machine');
  const count = isNight ? 1_000 : 240;
  const receipts = await receiptsOf(count, ofEveryEvent);
  const events = Object.values(statementEvents);
  const lines = receipts.map((receipt, index) => {
    // The events take turns of six, the damages of seven: each event meets each damage.
    const damage =
      [
        (text: string) => text,
        (text: string) => text.replace(/^(index .*)\n.*/m, `$1\n${Buffer.alloc(32, index % 256).toString('base64')}`),
        (text: string) => text.replace(/^index .*/m, `index ${(index + 1) % count}`),
        (text: string) => text.replace(/^extra .{60}/m, (extra) => `${extra.slice(0, -1)}${extra.endsWith('A') ? 'B' : 'A'}`),
        // Of another event, or of none.
        (text: string) =>
          text.replace(/^extra (.*)$/m, (_, extra: string) => {
            const bytes = Buffer.from(extra, 'base64');
            bytes[16] = ((bytes[16] ?? 0) % 7) + 1;
            return `extra ${bytes.toString('base64')}`;
          }),
      ][index % 7] ?? ((text: string) => text);
    return { text: damage(receipt), sha256: checksum(index % 7 === 6 ? 'another file' : `file ${index}`) };
  });
  const input = lines.map(({ text, sha256 }) => `${sha256} ${Buffer.from(text).toString('base64')}\n`).join('');
  const run = spawnSync('python3', [join(import.meta.dirname, '../test/verify.py'), formatVerifierKey(log.key)], {
    input,
    encoding: 'utf8',
  });
  const ours = lines.map(({ text, sha256 }) => inPython(verifyReceipt(text, { sha256, policy })));
  // Undamaged are two of seven.
  expect(ours.filter((verdict) => verdict !== 'no')).toHaveLength([...ours.keys()].filter((index) => [0, 5].includes(index % 7)).length);
  expect(new Set(ours).size).toBe(events.length + 1);
  expect(run.stdout.trimEnd().split('\n')).toEqual(ours);
});
