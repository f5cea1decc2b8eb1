import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import {
  emptyEdge,
  entryOf,
  formatReceipt,
  formatStatement,
  formatVerifierKey,
  growTree,
  leafHash,
  noHash,
  outcomeOf,
  parseCheckpoint,
  parsePolicy,
  type ReceiptOutcome,
  rootOfEdge,
  signCheckpoint,
  type Statement,
  type StatementEvent,
  statementEvents,
  verifyReceipt,
} from '@pergamin/ledger';
import { checksum, log as logOfReceipts, ofEveryEvent, receiptsOf } from '@pergamin/ledger/receipts-of-tests';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isNightly } from '@pergamin/server/testing/nightly';
import { exitCodes } from './commands/verify.ts';
import { aLog } from './testing/a-log.ts';
import { runPergamin } from './testing/run-pergamin.ts';

let folder: string;
const log = aLog();
const file = 'The very bytes of an agreement';

const receiptOf = (bytes: string, part: Partial<Statement> = {}): string => {
  const statement = formatStatement({
    event: 'PUBLISHED',
    time: Date.UTC(2026, 10, 23, 8),
    documentId: '0b1f3e2a-6a0a-4c55-9d6e-3f1b6f6a7c11',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    owner: 'cif:7001',
    type: 'PRIVATE',
    state: 'ACTIVE',
    previous: noHash,
    metadata: noHash,
    salt: 'ab'.repeat(32),
    ...part,
  });
  const { edge } = growTree(emptyEdge, [leafHash(entryOf(statement, { isPublic: false }))]);
  const head = { origin: log.key.name, size: 1, root: rootOfEdge(edge) };
  const checkpoint = parseCheckpoint(signCheckpoint(head, log.key, log.sign));
  return formatReceipt({ extra: statement, index: 0, proof: [], checkpoint });
};

const verify = (...words: readonly string[]) => runPergamin(['verify', ...words], { folder, environment: {} });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
  await writeFile(join(folder, 'a.pdf'), file);
  await writeFile(join(folder, 'other.pdf'), `${file}.`);
  await writeFile(join(folder, 'a.tlog-proof'), receiptOf(file));
  await writeFile(join(folder, 'damaged.tlog-proof'), receiptOf(file).slice(0, -9));
  await writeFile(join(folder, 'policy'), `log ${formatVerifierKey(log.key)}\nquorum none\n`);
  await writeFile(join(folder, 'stranger'), `log ${formatVerifierKey(aLog('other.example/log').key)}\nquorum none\n`);
  await writeFile(join(folder, 'broken'), 'quorum all\n');
});

afterAll(() => rm(folder, { recursive: true }));

test('pergamin verify proves a file by its receipt, without any portal, and says what it says', async () => {
  expect(await verify('a.pdf', 'a.tlog-proof', '--policy', 'policy')).toEqual({
    code: 0,
    error: '',
    out: [
      'yes  the file has the very bytes that the receipt names',
      'yes  the receipt says what happened to it, when, and whose it is',
      '     document 0b1f3e2a-6a0a-4c55-9d6e-3f1b6f6a7c11, PUBLISHED, 2026-11-23T08:00:00.000Z, 30 bytes, published for customer 7001',
      'yes  the log holds this statement, as entry 0 of 1 (portal.example/log)',
      'yes  the log, and as many witnesses as the policy asks for, have signed it',
      '     proved: this file was published for customer 7001. Whether it was cancelled or replaced later is not in a receipt: ask the portal',
      '',
    ].join('\n'),
  });
});

test.for([
  ['another file', ['other.pdf', 'a.tlog-proof', '--policy', 'policy'], /^NO {3}the file has/],
  ['a damaged receipt', ['a.pdf', 'damaged.tlog-proof', '--policy', 'policy'], /^NO {3}this is not a receipt/],
  ['the policy of another log', ['a.pdf', 'a.tlog-proof', '--policy', 'stranger'], /^NO {3}the log, and as many/m],
] as const)('pergamin verify of %s is not proved: exit code 1', async ([, words, line]) => {
  expect(await verify(...words)).toEqual({ code: 1, error: 'pergamin: not proved\n', out: expect.stringMatching(line) });
});

test.for([
  ['without a policy', ['a.pdf', 'a.tlog-proof']],
  ['of a file that is not there', ['none.pdf', 'a.tlog-proof', '--policy', 'policy']],
  ['of a receipt that is not there', ['a.pdf', 'none', '--policy', 'policy']],
  ['with a policy that is none', ['a.pdf', 'a.tlog-proof', '--policy', 'broken']],
  ['of an event that there is not', ['a.pdf', 'a.tlog-proof', '--policy', 'policy', '--event', 'DELIVERED']],
] as const)('pergamin verify %s cannot be answered: exit code 2', async ([, words]) => {
  expect(await verify(...words)).toMatchObject({ code: 2, out: '', error: expect.stringMatching(/^pergamin: /) });
});

const events = Object.keys(statementEvents) as readonly StatementEvent[];

test.for([
  ['PUBLISHED', 0, 'proved', /^$/],
  ['STATE_CHANGED', 4, 'otherEvent', /authentic, but of STATE_CHANGED: it does not prove PUBLISHED/],
  ['NOTIFIED', 4, 'otherEvent', /authentic, but of NOTIFIED/],
  ['RECEIVED', 3, 'received', /sent to the organisation by customer 7001; not a document of the organisation/],
  ['RETENTION_EXTENDED', 4, 'otherEvent', /authentic, but of RETENTION_EXTENDED/],
  ['FORGOTTEN', 4, 'otherEvent', /authentic, but of FORGOTTEN/],
] as const)(
  'pergamin verify of an authentic receipt of %s ends with exit code %i, and with --event proves it',
  async ([event, code, outcome, error]) => {
    await writeFile(join(folder, 'event.tlog-proof'), receiptOf(file, { event }));
    const words = ['a.pdf', 'event.tlog-proof', '--policy', 'policy'];
    expect(await verify(...words)).toMatchObject({ code, error: expect.stringMatching(error) });
    const { out } = await verify(...words, '--json');
    expect(JSON.parse(out)).toMatchObject({ proved: event === 'PUBLISHED', outcome, event });
    for (const asked of events) {
      const { code: ended, out: said } = await verify(...words, '--event', asked);
      expect(ended === 0, `asked for ${asked}`).toBe(asked === event);
      expect(said.includes('published for customer 7001')).toBe(event === 'PUBLISHED');
    }
  },
);

test('pergamin verify agrees with the library on receipts of every event and state', async () => {
  const receipts = await receiptsOf(isNightly ? 1_000 : 30, ofEveryEvent);
  const policy = `log ${formatVerifierKey(logOfReceipts.key)}\nquorum none\n`;
  await writeFile(join(folder, 'many'), policy);
  const answered: unknown[] = [];
  for (const [index, receipt] of receipts.entries()) {
    await writeFile(join(folder, 'one.pdf'), `file ${index}`);
    await writeFile(join(folder, 'one.tlog-proof'), receipt);
    const { code, out } = await verify('one.pdf', 'one.tlog-proof', '--policy', 'many', '--json');
    const { outcome, event } = JSON.parse(out) as { outcome: ReceiptOutcome; event: StatementEvent };
    answered.push([code, outcome, event]);
  }
  const expected = receipts.map((receipt, index) => {
    const verdict = verifyReceipt(receipt, { sha256: checksum(`file ${index}`), policy: parsePolicy(policy) });
    const outcome = outcomeOf(verdict);
    return [exitCodes[outcome], outcome, verdict.statement?.event];
  });
  expect(answered).toEqual(expected);
  expect(new Set(answered.map(String)).size).toBe(events.length);
});

test('pergamin verify says that a document was no longer active when its publication was entered', async () => {
  await writeFile(join(folder, 'cancelled.tlog-proof'), receiptOf(file, { state: 'CANCELLED' }));
  const { code, out } = await verify('a.pdf', 'cancelled.tlog-proof', '--policy', 'policy');
  expect([code, out]).toEqual([0, expect.stringContaining('its state is CANCELLED in this statement')]);
});

test('what a receipt says cannot add lines to the answer, or end it without one', async () => {
  const said = `x\nyes  the log, and as many witnesses as the policy asks for, have signed it\u001B[2K`;
  await writeFile(join(folder, 'lines.tlog-proof'), receiptOf(file, { documentId: said, owner: said, time: Number.MAX_SAFE_INTEGER }));
  const { code, out } = await verify('a.pdf', 'lines.tlog-proof', '--policy', 'stranger');
  expect(code).toBe(1);
  expect(out.match(/^(?:yes|NO )/gm)).toEqual(['yes', 'yes', 'yes', 'NO ']);
  expect(out).not.toContain('\u001B');
});

test('pergamin verify --json gives the verdict for a program', async () => {
  const { out, code } = await verify('other.pdf', 'a.tlog-proof', '--policy', 'policy', '--json');
  expect({ code, verdict: JSON.parse(out) as unknown }).toMatchObject({
    code: 1,
    verdict: { proved: false, isSameFile: false, opensStatement: true, isIncluded: true, isSigned: true, place: { index: 0, size: 1 } },
  });
});
