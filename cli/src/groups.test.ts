import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readGroups } from './group-lines.ts';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let portal: TestPortal;

beforeAll(async () => {
  started = await startCliPortal();
  ({ portal } = started);
  for (const number of ['1', '2', '3']) await portal.addClient(`1000000${number}`, { cif: `70010000${number}` });
});

afterAll(() => started[Symbol.asyncDispose]());

const pergamin = (...args: string[]): Promise<Ended> => runPergamin(args, started);
const write = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(started.folder, name);
  await writeFile(path, content);
  return path;
};

describe('pergamin groups', () => {
  test('sets members from a file, says beforehand what would change, and shows them as such a file', async () => {
    await write('first.csv', 'groupId;cif\nvip;700100001\nvip;700100002\n"a;b";700100003\n');
    expect(await pergamin('groups', 'set', 'first.csv')).toEqual({
      code: 0,
      out: 'a;b: joined 1, left 0\nvip: joined 2, left 0\nchanged 2 of 2 groups\n',
      error: '',
    });
    expect((await pergamin('groups', 'set', 'first.csv')).out).toBe('changed 0 of 2 groups\n');
    await write('next.jsonl', '{"groupId":"vip","cif":"700100002"}\n{"groupId":"vip","cif":"700100003"}\n{"groupId":"a;b","cif":null}\n');
    expect((await pergamin('groups', 'set', 'next.jsonl', '--dry-run')).out).toBe(
      'a;b: would join 0, leave 1\n  - 700100003\nvip: would join 1, leave 1\n  + 700100003\n  - 700100001\nwould change 2 of 2 groups\n',
    );
    expect((await pergamin('groups', 'list')).out).toBe('a;b  1\nvip  2\n');
    expect((await pergamin('groups', 'set', 'next.jsonl')).out).toContain('changed 2 of 2 groups');
    expect((await pergamin('groups', 'show', 'vip')).out).toBe('groupId;cif\nvip;700100002\nvip;700100003\n');
    const emptied = (await pergamin('groups', 'show', 'a;b')).out;
    expect(emptied).toBe('groupId;cif\n"a;b";\n');
    await write('shown.csv', emptied);
    expect((await pergamin('groups', 'set', 'shown.csv')).out).toBe('changed 0 of 1 groups\n');
  });

  test('changes nothing when a line is refused, by the file or by the portal, and names the lines', async () => {
    await write('bad.csv', 'groupId;cif\nwhole;700100001\nwhole;7 001\n');
    expect(await pergamin('groups', 'set', 'bad.csv')).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining('line 3: cif: must be 1 to 32 letters, digits or -\n'),
    });
    await write('unknown.csv', 'groupId;cif\nwhole;700100001\n\nwhole;404\n');
    expect(await pergamin('groups', 'set', 'unknown.csv')).toMatchObject({
      code: 1,
      out: '',
      error: 'line 4: cif: unknown customer number\npergamin: 1 line was refused: no group was changed\n',
    });
    expect((await pergamin('groups', 'show', 'whole')).error).toContain('RESOURCE_NOT_FOUND');
  });

  test.each([
    [['groups']],
    [['groups', 'set']],
    [['groups', 'list', '--dry-run']],
    [['groups', 'show', 'a', 'b']],
    [['config']],
    [['config', 'history', 'colours']],
  ])('pergamin %j ends with 2', async (words) => {
    expect(await pergamin(...words)).toMatchObject({ code: 2, out: '' });
  });
});

test('pergamin config history says what was changed, by which key, of everything or of one kind', async () => {
  await write('keys.json', '[{"id":"BRANCH","name":{"pl":"Oddział","en":"Branch"},"type":"TEXT"}]');
  await pergamin('metadata', 'import', 'keys.json');
  await write('keys.json', '[{"id":"BRANCH","name":{"pl":"Oddział banku","en":"Branch"},"type":"TEXT"}]');
  await pergamin('metadata', 'import', 'keys.json');
  await portal.publisher.call('setMembers', { body: { items: [{ id: 'h', members: ['700100001'] }] } });
  const [group = '', renamed = ''] = (await pergamin('config', 'history')).out.split('\n');
  expect(group.replace(/^\S+Z {2}/, '')).toBe('group  h  by tests  left: []; joined: ["700100001"]');
  expect(renamed.replace(/^\S+Z {2}/, '')).toBe(
    'metadata  BRANCH  by tests  name: {"en":"Branch","pl":"Oddział"} → {"en":"Branch","pl":"Oddział banku"}',
  );
  const lines = (await pergamin('config', 'history', 'metadata', '--json')).out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { kind: 'metadata', subject: 'BRANCH', before: { name: { pl: 'Oddział' } }, after: { name: { pl: 'Oddział banku' } } },
    { before: null },
  ]);
});

/** What may be wrong in a file of groups, with the line and the words that name it. */
describe('a file of groups', () => {
  const header = 'groupId;cif\n';
  test.each<[string, string | Uint8Array, number, string]>([
    ['a blank group', `${header};700\n`, 2, 'groupId: must be 1 to 64 characters on one line'],
    ['a group of 65 characters', `${header}${'x'.repeat(65)};700\n`, 2, 'groupId: must be 1 to 64 characters on one line'],
    ['a control character in a group', `${header}a\u0007b;700\n`, 2, 'groupId: must be 1 to 64 characters on one line'],
    ['a NUL in a group', `${header}a\0b;700\n`, 2, 'groupId: must be 1 to 64 characters on one line'],
    ['a customer number with a blank', `${header}vip;7 00\n`, 2, 'cif: must be 1 to 32 letters, digits or -'],
    ['a customer number of 33 characters', `${header}vip;${'7'.repeat(33)}\n`, 2, 'cif: must be 1 to 32 letters, digits or -'],
    ['a member twice', `${header}vip;700\nvip;701\nvip;700\n`, 4, 'the same as line 2'],
    ['a group without members twice', `${header}vip;\nvip;\n`, 3, 'the same as line 2'],
    ['a group without members and with one', `${header}vip;\nvip;700\n`, 3, 'line 2 says otherwise: with members, or without'],
    ['a group with a member and without', `${header}vip;700\nvip;\n`, 3, 'line 2 says otherwise: with members, or without'],
    ['a cell too many', `${header}vip;700;x\n`, 2, '3 cells where the first line has 2'],
    ['a cell too few', `${header}vip\n`, 2, '1 cells where the first line has 2'],
    ['a quote that is left open', `${header}"vip;700\nvip;701\n`, 2, 'quotes do not fit'],
    [
      'letters that are not UTF-8',
      Buffer.from(`${header}\xb3ask;700\n`, 'latin1'),
      2,
      'not UTF-8; it looks like windows-1250: add --encoding windows-1250, or save it as UTF-8',
    ],
    ['a line of 70 000 characters', `${header}${'x'.repeat(70_000)};700\n`, 2, 'longer than 65536 characters'],
  ])('in CSV with %s is refused at its line', async (_what, content, line, problem) => {
    const { faults } = await readGroups(await write('faults.csv', content));
    expect(faults).toEqual([{ line, problem }]);
  });

  test.each([
    ['a line that is no JSON', '{"groupId":"vip"', 'not JSON'],
    ['a list', '["vip","700"]', 'not a member of a group'],
    ['a field that there is not', '{"groupId":"vip","cif":"700","name":"A"}', 'name: not a field of a member'],
    ['a number as a customer number', '{"groupId":"vip","cif":700}', 'cif: must be 1 to 32 letters, digits or -'],
    ['no customer number, and no null either', '{"groupId":"vip"}', 'cif: must be 1 to 32 letters, digits or -'],
    ['half a character', '{"groupId":"\\ud800","cif":"700"}', 'groupId: must be 1 to 64 characters on one line'],
  ])('in JSONL with %s is refused at its line', async (_what, content, problem) => {
    const { faults } = await readGroups(await write('faults.jsonl', `{"groupId":"vip","cif":"1"}\n${content}\n`));
    expect(faults).toEqual([{ line: 2, problem }]);
  });

  test.each([
    ['without a line', 'empty.csv', '', 'is empty'],
    ['with the first line alone', 'alone.csv', header, 'has no line but its first one'],
    ['without the column of the customer number', 'columns.csv', 'groupId\nvip\n', 'line 1: cif missing'],
    ['with a column that there is not', 'columns.csv', 'groupId;cif;name\nvip;700;A\n', "'name': no such field"],
    ['with a column named twice', 'columns.csv', 'groupId;cif;cif\nvip;700;701\n', 'a field is named twice'],
    ['of another kind', 'groups.ods', 'x', 'must end with .csv, .xlsx or .jsonl'],
    ['that is no workbook', 'groups.xlsx', 'x', 'is not a readable XLSX workbook'],
  ])('%s is refused as a whole', async (_what, file, content, words) => {
    await expect(readGroups(await write(file, content)).then(({ groups }) => groups)).rejects.toThrow(words);
  });

  test('names of groups that are names of objects are groups like others', async () => {
    const { groups, faults } = await readGroups(await write('names.csv', `\uFEFF${header}__proto__;700\nconstructor;701\n`));
    expect([groups.map(({ id }) => id), faults]).toEqual([['__proto__', 'constructor'], []]);
  });
});
