import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Checkpoint, emptyRoot, formatNote, parseCheckpoint, signCheckpoint, type TreeHead } from '@pergamin/ledger';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changePastTriggers } from '#testing/ledger-damage.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { newKey } from '#testing/witness-peer.ts';
import { ledgerKeyOf } from '../ledger-key.ts';
import { compareKept, type KeptVerdict } from './kept-checkpoint.ts';
import { findPasted } from './pasted-checkpoint.ts';

/** A checkpoint that somebody kept, compared with the log of three entries. */

let portal: TestPortal;
let origin: string;
let kept: string;
let signHead: (head: TreeHead) => string;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { NOTICES: 'never' } });
  await portal.addClient('1001', { cif: '7001' });
  for (const text of ['one', 'two', 'three']) {
    await portal.publish({ cif: '7001', pdf: aPdf({ text }) });
    if (text === 'two') kept = await readFile(`${portal.settings.ledgerDir}/checkpoint`, 'utf8');
  }
  ({ origin } = parseCheckpoint(kept));
  const own = ledgerKeyOf(createPrivateKey(await readFile(portal.settings.ledgerKeyFile)), origin);
  signHead = (head) => signCheckpoint(head, own.key, own.sign);
});
afterAll(() => portal[Symbol.asyncDispose]());

const ofKept = (change: Partial<TreeHead> = {}): TreeHead => ({ ...parseCheckpoint(kept), ...change });
const unsigned = ({ origin: name, size, root }: TreeHead): string => [name, size, Buffer.from(root).toString('base64')].join(' · ');
const otherRoot = Buffer.alloc(32, 7);
const byAnother = (head: TreeHead): string => {
  const { key, sign } = newKey(head.origin, 1);
  return signCheckpoint(head, key, sign);
};

const cases: readonly (readonly [string, () => string, KeptVerdict])[] = [
  ['that the log has signed', () => kept, 'PART'],
  ['of the empty log', () => signHead(ofKept({ size: 0, root: emptyRoot })), 'PART'],
  ['of a mail of before, without a signature', () => unsigned(ofKept()), 'PART'],
  ['whose root is another, signed by the log', () => signHead(ofKept({ root: otherRoot })), 'NOT_PART'],
  ['whose root is another, without a signature', () => unsigned(ofKept({ root: otherRoot })), 'NOT_PART'],
  ['whose size is another', () => signHead(ofKept({ size: 1 })), 'NOT_PART'],
  ['of more entries than there are', () => signHead(ofKept({ size: 4 })), 'LARGER'],
  ['of 999 999 999 999 999 entries', () => unsigned(ofKept({ size: 999_999_999_999_999 })), 'LARGER'],
  ['that another key has signed', () => byAnother(ofKept()), 'OTHER_KEY'],
  ['whose signature was made for another text', () => kept.replace('\n2\n', '\n3\n'), 'OTHER_KEY'],
  ['of another log', () => byAnother(ofKept({ origin: 'bank.example/log' })), 'OTHER_LOG'],
  ['beside another one', () => `${kept}\n${signHead(ofKept({ size: 3 }))}`, 'SEVERAL'],
  ['that is none', () => 'Dzień dobry', 'NONE'],
  ['that is empty', () => '', 'NONE'],
  ['whose number of entries has zeros in front', () => kept.replace('\n2\n', '\n02\n'), 'NONE'],
];

test.each(cases)('a checkpoint %s is compared as such', async (_, textOf, verdict) => {
  expect((await compareKept(portal.db, textOf())).verdict).toBe(verdict);
});

describe('a checkpoint is found and its signature verified', () => {
  const wrapped = (text: string): string => text.replaceAll(/(.{60})(?=.)/g, '$1\n');
  const forms: readonly (readonly [string, (text: string) => string])[] = [
    ['as it was signed', (text) => text],
    ['with the line ends of Windows', (text) => text.replaceAll('\n', '\r\n')],
    ['with empty lines around it and between its lines', (text) => `\n\n${text.replaceAll('\n', '\n\n')}\n\n`],
    ['without its last line end', (text) => text.trimEnd()],
    ['quoted', (text) => text.replaceAll(/^/gm, '> ')],
    ['quoted twice', (text) => text.replaceAll(/^/gm, '>> ')],
    ['indented, with spaces at the ends of lines', (text) => text.replaceAll(/^/gm, '\u00a0  ').replaceAll(/$/gm, ' ')],
    ['with lines that were wrapped', wrapped],
    ['with a name that was made a link', (text) => text.replace(origin, `${origin} <http://${origin}>`)],
    ['in a whole mail', (text) => `Dzień dobry,\n\nStan rejestru dokumentów:\n\n${text}\nBank\nul. Prosta 1\n00-001 Warszawa\n`],
    ['twice in one mail', (text) => `${text}\n\n> ${text.replaceAll('\n', '\n> ')}`],
  ];

  test.each(forms)('%s', async (_, formOf) => {
    expect(await compareKept(portal.db, formOf(kept))).toMatchObject({ verdict: 'PART', kept: { origin, size: 2, isSigned: true } });
  });

  test('in a receipt', async () => {
    const anna = await portal.signIn('1001');
    const [first] = await portal.db.selectFrom('document').select('id').limit(1).execute();
    const receipt = (await anna.call('getReceipt', { params: { id: first?.id ?? '' } })).bytes.toString('utf8');
    expect(await compareKept(portal.db, receipt)).toMatchObject({ verdict: 'PART', kept: { size: 3, isSigned: true } });
  });

  test('with the signatures of witnesses behind it', () => {
    const parsed: Checkpoint = parseCheckpoint(kept);
    const note = { ...parsed.note, signatures: [...parsed.note.signatures, ...parseCheckpoint(byAnother(ofKept())).note.signatures] };
    expect(findPasted(wrapped(formatNote(note)))[0]?.signed?.note.signatures).toHaveLength(2);
  });
});

// The last of the file: the log is cut.
test('a checkpoint of before a cut has more entries than there are, and one of a log whose entries were changed is told from that', async () => {
  const before = await readFile(`${portal.settings.ledgerDir}/checkpoint`, 'utf8');
  await changePastTriggers(portal, sql`update ledger_entry set commitment = sha256(commitment) where index = 2`);
  expect((await compareKept(portal.db, kept)).verdict).toBe('LOG_WRONG');
  await changePastTriggers(
    portal,
    sql`delete from ledger_checkpoint where size > 2`,
    sql`delete from ledger_tree where size > 2`,
    sql`delete from ledger_entry where index >= 2`,
  );
  expect(await compareKept(portal.db, before)).toMatchObject({
    verdict: 'LARGER',
    kept: { size: 3, isSigned: true },
    published: { size: 2 },
  });
  expect((await compareKept(portal.db, kept)).verdict).toBe('PART');
  await changePastTriggers(portal, sql`delete from ledger_checkpoint`, sql`delete from ledger_tree`, sql`delete from ledger_entry`);
  expect((await compareKept(portal.db, kept)).verdict).toBe('NO_LOG');
});
