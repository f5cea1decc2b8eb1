import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClientLine, readClientLines } from './client-lines.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-lines-'));
});

afterAll(() => rm(folder, { recursive: true }));

const read = async (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  await writeFile(path, content);
  const lines: ClientLine[] = [];
  for await (const line of await readClientLines(path)) lines.push(line);
  return lines;
};

const header = 'personalId,cif,firstName,lastName';
const anna = { personalId: '1', cif: '7', firstName: 'Anna', lastName: 'Żółć' };

describe('a CSV file', () => {
  test.each([
    ['with commas', `${header}\n1,7,Anna,Żółć\n`],
    ['with semicolons', 'personalId;cif;firstName;lastName\n1;7;Anna;Żółć\n'],
    ['with a byte order mark', `\uFEFF${header}\n1,7,Anna,Żółć\n`],
    ['of Windows', `${header}\r\n1,7,Anna,Żółć\r\n`],
    ['without a last line end', `${header}\n1,7,Anna,Żółć`],
    ['with quotes and blanks around', `"personalId", cif ,firstName,lastName\n"1", 7 , Anna,"Żółć"\n`],
    ['of Excel for the Mac', `${header}\r1,7,Anna,Żółć\r`],
    ['with tabs', `${header}\n1,7,Anna,Żółć\n`.replaceAll(',', '\t')],
    ['that says its separator', 'sep=;\nNAMES;\n1;7;Anna;Żółć\n'.replace('NAMES;', header.replaceAll(',', ';')), 3],
    ['that says a separator of its own', `sep=|\r\n${header}\r\n1,7,Anna,Żółć\r\n`.replaceAll(',', '|'), 3],
    ['with rows of separators alone', `${header}\n,,,\n1,7,Anna,Żółć\n"",,\u00A0,\n,,,,,\n`, 3],
    ['with empty columns at its end', `${header},,\n1,7,Anna,Żółć,,\n`],
    ['with empty cells behind its columns', `${header}\n1,7,Anna,Żółć,,,\n`],
    ['with decomposed letters', `${header}\n1,7,Anna,Żółć\n`.normalize('NFD')],
    ['with other columns first', 'lastName,firstName,cif,personalId\nŻółć,Anna,7,1\n'],
  ])('%s is read', async (_what, content, line = 2) => {
    expect(await read('a.csv', content)).toEqual([{ line, record: anna }]);
  });

  test.each(['800100001,6\u002C1109E+25', '4.86E+10', '5E+10', '1,2e+05', '8,00100001E+8'])(
    'an identifier that a spreadsheet has rounded to %s is refused by line and column',
    async (rounded) => {
      for (const [column, cells] of [
        ['cif', `1;${rounded};Anna;Żółć;`],
        ['phone', `1;7;Anna;Żółć;${rounded}`],
      ] as const)
        expect(await read('a.csv', `personalId;cif;firstName;lastName;phone\n${cells}\n`)).toEqual([
          { line: 2, problem: `${column}: rounded by a spreadsheet: format the column as text there, and fill it in anew` },
        ]);
    },
  );

  test('says everything that a record may hold', async () => {
    const all = 'personalId;cif;cif2;firstName;lastName;email;phone;groups;managed;initialPassword';
    expect(
      await read('a.csv', `${all}\n1;7;8;Anna;"Kowal; Nowak";anna@example.com;+48600100200;vip|kredyty domowe;TRUE;Start-1234\n`),
    ).toEqual([
      {
        line: 2,
        record: {
          ...anna,
          lastName: 'Kowal; Nowak',
          cif2: '8',
          email: 'anna@example.com',
          phone: '+48600100200',
          groups: ['vip', 'kredyty domowe'],
          managed: true,
          initialPassword: 'Start-1234',
        },
      },
    ]);
  });

  test('says by a blank cell that there is none, and leaves out what it has no column for', async () => {
    const optional = 'cif2,email,phone,managed,groups,language,initialPassword';
    expect(await read('a.csv', `${header},${optional}\n1,7,Anna,Żółć,,,,,,,\n`)).toEqual([
      { line: 2, record: { ...anna, cif2: null, email: null, phone: null, managed: false, groups: [] } },
    ]);
  });

  test('counts every line, also blank ones and wrong ones, and goes on after each', async () => {
    const lines = [
      header,
      '',
      '1,7,Anna,Żółć',
      '2,7,"Anna,Żółć',
      '3,7,An"na,Żółć',
      '4,7,Anna',
      '5,7,Anna,Żółć,more',
      '6 6,7,,Żółć',
      '1,7,Anna,Żółć',
    ];
    expect(await read('a.csv', lines.join('\n'))).toEqual([
      { line: 3, record: anna },
      { line: 4, problem: 'quotes do not fit' },
      { line: 5, problem: 'quotes do not fit' },
      { line: 6, problem: '3 cells where the first line has 4' },
      { line: 7, problem: '5 cells where the first line has 4' },
      { line: 8, problem: 'personalId: must be 1 to 64 letters, digits or . _ @ -; firstName: must be 1 to 100 characters on one line' },
      { line: 9, record: anna },
    ]);
  });

  test('a CSV file in another encoding is refused line by line, not garbled', async () => {
    const windows1250 = Buffer.concat([
      Buffer.from(`${header}\n1,7,Anna,`),
      Buffer.from([0xaf, 0xf3, 0xb3, 0xe6]),
      Buffer.from('\n2,7,Jan,Nowak\n'),
    ]);
    expect(await read('a.csv', windows1250)).toEqual([
      { line: 2, problem: 'not UTF-8; it looks like windows-1250: add --encoding windows-1250, or save it as UTF-8' },
      { line: 3, record: { ...anna, personalId: '2', firstName: 'Jan', lastName: 'Nowak' } },
    ]);
  });

  test('a CSV file with a line that never ends refuses it and holds none of it', async () => {
    expect(await read('a.csv', `${header}\n${'x'.repeat(1_000_000)}\n1,7,Anna,Żółć\n`)).toEqual([
      { line: 2, problem: 'longer than 65536 characters' },
      { line: 3, record: anna },
    ]);
  });

  test.each([
    ['nothing', '', /is empty$/],
    ['nothing else', `${header}\n`, 'has no line but its first one'],
    ['nothing but blank rows below it', `${header}\r,,,\r\r`, 'has no line but its first one'],
    ['a column without a name', 'personalId,cif,,firstName,lastName\n', 'line 1: column 3 has no name'],
    ['an unknown field', `${header},role\n`, "line 1: 'role': no such field; there are personalId, cif,"],
    ['a field of every object', `${header},constructor\n`, "line 1: 'constructor': no such field"],
    ['no names', 'personalId,cif\n', 'line 1: firstName, lastName missing'],
    ['a field twice', `${header},cif\n`, 'line 1: a field is named twice'],
    ['a broken first line', `"personalId\n`, 'line 1: quotes do not fit'],
  ])('a CSV file with %s as its first line is not read', async (_what, content, sentence) => {
    await expect(read('a.csv', content)).rejects.toThrow(sentence);
  });
});

describe('a JSONL file', () => {
  test('has one record per line, and goes on after a wrong one', async () => {
    const lines = [
      JSON.stringify({ ...anna, groups: ['vip'], email: null }),
      '',
      '{',
      '[]',
      '7',
      '{"personalId":1}',
      JSON.stringify({ ...anna, role: 'x' }),
    ];
    expect(await read('a.jsonl', `\uFEFF${lines.join('\r\n')}\r\n`)).toEqual([
      { line: 1, record: { ...anna, groups: ['vip'], email: null } },
      { line: 3, problem: 'not JSON' },
      { line: 4, problem: 'not a client record' },
      { line: 5, problem: 'not a client record' },
      {
        line: 6,
        problem:
          'personalId: must be 1 to 64 letters, digits or . _ @ -; cif: must be 1 to 32 letters, digits or -; firstName: must be 1 to 100 characters on one line; lastName: must be 1 to 100 characters on one line',
      },
      { line: 7, problem: 'role: not a field of a client' },
    ]);
  });

  test('keeps letters whole that fall between two reads', async () => {
    const people = Array.from({ length: 3_000 }, (_, index) => ({ ...anna, personalId: String(index), lastName: 'ąęśżźćłó'.repeat(5) }));
    const found = await read('a.jsonl', people.map((person) => JSON.stringify(person)).join('\n'));
    expect(found).toEqual(people.map((record, index) => ({ line: index + 1, record })));
  });
});
