import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aPdf } from '@pergamin/server/testing/pdfs';
import type { TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let portal: TestPortal;

beforeAll(async () => {
  started = await startCliPortal();
  ({ portal } = started);
});

afterAll(() => started[Symbol.asyncDispose]());

const pergamin = (...args: string[]): Promise<Ended> => runPergamin(['documents', ...args], started);
const publish = async (more: object = {}): Promise<string> =>
  (await portal.publish({ type: 'PUBLIC', pdf: aPdf({ text: randomUUID() }), ...more })).body.id;
const lifeOf = async (id: string) => (await portal.publisher.call('getDocumentLife', { params: { id } })).body;

describe('pergamin documents', () => {
  test('cancels, holds, retains, deletes and forgets a document, and tells its history', async () => {
    const id = await publish({ metadata: { RETENTION_DATE: '2020-01-01' } });
    const outputs: string[] = [];
    for (const args of [
      ['status', id, 'CANCELLED', '--reason', 'Błędna kwota'],
      ['hold', id, '--reason', 'C 12/26'],
      ['retain', id, '--until', '2099-12-31', '--reason', 'art. 74'],
      ['hold', id, '--release', '--reason', 'C 12/26 is over'],
      ['status', id, 'DELETED', '--reason', 'Reklamacja', '--before-retention'],
      ['status', id, 'DELETED', '--reason', 'Reklamacja', '--before-retention'],
      ['forget', id, '--reason', 'art. 17', '--yes', '--before-retention'],
    ]) {
      const ended = await pergamin(...args);
      expect(ended).toMatchObject({ code: 0, error: '' });
      outputs.push(ended.out);
    }
    expect(outputs).toEqual([
      `${id}  CANCELLED  kept until 2020-01-01\n`,
      `${id}  CANCELLED  kept until 2020-01-01  held\n`,
      `${id}  CANCELLED  kept until 2099-12-31  held\n`,
      `${id}  CANCELLED  kept until 2099-12-31\n`,
      `${id}  DELETED  kept until 2099-12-31\n`,
      `${id}  DELETED  kept until 2099-12-31  unchanged\n`,
      `${id}  FORGOTTEN  kept until 2099-12-31\n`,
    ]);
    await portal.runJob('documents:remove');
    const { out } = await pergamin('history', id);
    const [document, checksum, ...entries] = out.trimEnd().split('\n');
    expect([document, checksum]).toEqual([`${id}  FORGOTTEN  kept until 2099-12-31  removed`, 'SHA-256 –']);
    expect(entries.map((entry) => entry.replace(/^\S+Z {2}/, ''))).toEqual([
      'PUBLISHED  by tests',
      // Of a forgotten document the reasons of before are gone.
      'STATE_CHANGED  ACTIVE → CANCELLED  by tests',
      'HELD  by tests',
      'RETENTION_EXTENDED  2020-01-01 → 2099-12-31  by tests',
      'RELEASED  by tests',
      'STATE_CHANGED  CANCELLED → DELETED  by tests',
      'STATE_CHANGED  DELETED → FORGOTTEN  by tests  art. 17',
      'REMOVED',
    ]);
  });

  test('pergamin documents ends with 1 and the code when the portal refuses a change', async () => {
    const id = await publish();
    expect((await pergamin('retain', id, '--until', 'indefinite')).out).toBe(`${id}  ACTIVE  kept for ever\n`);
    const refused = await pergamin('status', id, 'DELETED', '--reason', 'x');
    expect([refused.code, refused.out, refused.error]).toEqual([
      1,
      '',
      expect.stringMatching(/^pergamin: DOCUMENT_RETENTION_ERROR: .+\n {2}retentionDate: it is kept for ever\n$/),
    ]);
    const early = await pergamin('status', id, 'DELETED', '--reason', 'x', '--before-retention');
    expect(early).toMatchObject({ code: 0, out: `${id}  DELETED  kept for ever\n` });
  });

  test('changes all documents of a file, names those that are refused, and can be repeated', async () => {
    const [free, held, unknown] = [await publish(), await publish(), randomUUID()];
    await pergamin('hold', held, '--reason', 'C 1/26');
    await writeFile(join(started.folder, 'ids.txt'), `\uFEFF${free}\r\n\n${held.toUpperCase()}\n${unknown}\n`);
    const ended = await pergamin('status', 'DELETED', '--ids', 'ids.txt', '--reason', 'Migracja');
    expect([ended.code, ended.out]).toEqual([1, `${free}  DELETED\n`]);
    expect(ended.error).toMatch(
      new RegExp(
        `^${held}: DOCUMENT_REMOVE_ERROR: .+\n {2}legalHold: .+\n${unknown}: DOCUMENT_NOT_FOUND_ERROR: .+\npergamin: 2 of 3 documents`,
      ),
    );
    expect((await lifeOf(held)).document.state).toBe('ACTIVE');
    const again = await pergamin('status', 'DELETED', '--ids', 'ids.txt', '--reason', 'Migracja');
    expect([again.code, again.out]).toEqual([1, `${free}  DELETED  unchanged\n`]);
  });

  test('withdraws the documents of a file, names who has seen what, and writes a table of it', async () => {
    const client = await portal.signIn('1001', { cif: '7001' });
    const [seen, unseen, unknown] = [
      await publish({ type: 'PRIVATE', cif: '7001' }),
      await publish({ type: 'PRIVATE', cif: '7001' }),
      randomUUID(),
    ];
    await client.call('checkDocument', { params: { id: seen }, query: { opening: 'true' } });
    await client.call('markPage', { params: { id: seen, page: '1' } });
    await writeFile(join(started.folder, 'wrong-ids.txt'), `${seen}\n${unseen}\n${unknown}\n`);
    const ended = await pergamin('withdraw', '--ids', 'wrong-ids.txt', '--reason', 'zły plik', '--to', 'seen.csv');
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(
      new RegExp(`^\\S+  ${seen}  CANCELLED  1001  .*pages 1\nwithdrawn: nobody had opened 1: they left the lists; 1 are cancelled`),
    );
    expect(ended.error).toContain(`${unknown}: DOCUMENT_NOT_FOUND_ERROR`);
    const [head = '', ...rows] = (await readFile(join(started.folder, 'seen.csv'), 'utf8')).trimEnd().split('\n');
    const column = (row: string, name: string): string | undefined => row.split(',')[head.split(',').indexOf(name)];
    expect(rows.map((row) => ['id', 'state', 'inLists', 'personalId', 'pages'].map((name) => column(row, name)))).toEqual([
      [seen, 'CANCELLED', 'yes', '1001', '1'],
      [unseen, 'CANCELLED', 'no', '', ''],
    ]);
    expect((await pergamin('withdraw', unseen, '--reason', 'again')).code).toBe(0);
  });

  test('puts a document in force again whose new version was wrong', async () => {
    const former = await publish();
    const wrong = await publish({ replaces: former });
    expect((await pergamin('status', former, 'ACTIVE', '--reason', 'x')).error).toContain('INVALID_STATUS');
    await pergamin('status', wrong, 'CANCELLED', '--reason', 'x');
    expect(await pergamin('status', former, 'ACTIVE', '--reason', 'x')).toMatchObject({ code: 0, out: `${former}  ACTIVE\n` });
  });

  test('asks for what is missing before anything is changed', async () => {
    const id = await publish();
    await writeFile(join(started.folder, 'wrong.txt'), `${id}\nnone\n`);
    for (const [problem, ...args] of [
      ['say why', 'status', id, 'CANCELLED'],
      ['say why', 'hold', id, '--release'],
      ['say why', 'withdraw', id],
      ['pergamin documents status', 'withdraw', id, 'CANCELLED', '--reason', 'x'],
      ['say --yes', 'forget', id, '--reason', 'x'],
      ['CANCELLED, DELETED or ACTIVE', 'status', id, 'GONE', '--reason', 'x'],
      ['a day as 2031-12-31', 'retain', id, '--until', '31.12.2031'],
      ['is no id', 'history', 'none'],
      ['line 2 is no id', 'status', 'CANCELLED', '--ids', 'wrong.txt', '--reason', 'x'],
      ['is not a readable file', 'hold', '--ids', 'missing.txt', '--reason', 'x'],
      ['which document', 'hold', '--reason', 'x'],
      ['pergamin documents status', 'hold', id, '--until', '2031-12-31', '--reason', 'x'],
      ['pergamin documents status', 'remove', id],
    ] as const) {
      const ended = await pergamin(...args);
      expect([args, ended.code, ended.out, ended.error.includes(problem)]).toEqual([args, 2, '', true]);
    }
    expect((await lifeOf(id)).items).toHaveLength(1);
  });
});
