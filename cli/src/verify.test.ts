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
  parseCheckpoint,
  rootOfEdge,
  signCheckpoint,
} from '@pergamin/ledger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aLog } from './testing/a-log.ts';
import { runPergamin } from './testing/run-pergamin.ts';

let folder: string;
const log = aLog();
const file = 'The very bytes of an agreement';

const receiptOf = (bytes: string): string => {
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
      'yes  the receipt says what was delivered, when and to whom',
      '     document 0b1f3e2a-6a0a-4c55-9d6e-3f1b6f6a7c11, PUBLISHED, 2026-11-23T08:00:00.000Z, 30 bytes',
      'yes  the log holds this statement, as entry 0 of 1 (portal.example/log)',
      'yes  the log, and as many witnesses as the policy asks for, have signed it',
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
] as const)('pergamin verify %s cannot be answered: exit code 2', async ([, words]) => {
  expect(await verify(...words)).toMatchObject({ code: 2, out: '', error: expect.stringMatching(/^pergamin: /) });
});

test('pergamin verify --json gives the verdict for a program', async () => {
  const { out, code } = await verify('other.pdf', 'a.tlog-proof', '--policy', 'policy', '--json');
  expect({ code, verdict: JSON.parse(out) as unknown }).toMatchObject({
    code: 1,
    verdict: { proved: false, isSameFile: false, opensStatement: true, isIncluded: true, isSigned: true, place: { index: 0, size: 1 } },
  });
});
