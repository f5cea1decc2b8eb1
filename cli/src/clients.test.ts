import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let folder: string;
let portal: TestPortal;
let standing: CliPortal['environment'];

beforeAll(async () => {
  const company = { id: 'company', name: 'Company', issuer: 'https://identity.example.com', clientId: 'portal', clientSecret: 'secret' };
  started = await startCliPortal({ IDENTITY_SERVICES: JSON.stringify([{ ...company, personalIds: '2\\d{7}' }]) });
  ({ portal, folder, environment: standing } = started);
});

afterAll(() => started[Symbol.asyncDispose]());

const importFile = async (
  name: string,
  content: string,
  words: string[] = [],
  environment: Record<string, string> = {},
): Promise<Ended> => {
  await writeFile(join(folder, name), content);
  return runPergamin(['clients', 'import', name, ...words], { folder, environment: { ...standing, ...environment } });
};

const countClients = async (prefix: string): Promise<number> => {
  const { rows } = await portal.pool.query<{ count: number }>(`select count(*) as count from client where personal_id like $1`, [
    `${prefix}%`,
  ]);
  return rows[0]?.count ?? -1;
};

describe('pergamin clients import', () => {
  test('writes clients whose managed contradicts the identity services, and names each with the service to which the id leads', async () => {
    const file =
      'personalId;cif;firstName;lastName;managed\n20000001;m1;Jan;Nowak;true\n20000002;m2;Ola;Nowak;false\nm3;m3;Ewa;Nowak;true\n';
    expect(await importFile('managed.csv', file)).toEqual({
      code: 0,
      out: 'created 3, changed 0, unchanged 0, refused 0 of 3 lines\n2 of them cannot sign in: see the warnings\n',
      error:
        'line 3: warning: 20000002 has managed false, and this id leads to the service company, which signs in only clients with managed true: this client cannot sign in\n' +
        'line 4: warning: m3 has managed true, and this id leads to the service pergamin, which signs in only clients with managed false: this client cannot sign in\n',
    });
  });

  test('writes people and their groups, and changes nothing when it is repeated', async () => {
    const file = 'personalId;cif;firstName;lastName;groups\na1;a1;Łucja;Żak;vip|dom\na2;a2;Jan;"Kowal; syn";\n';
    expect(await importFile('people.csv', file)).toEqual({
      code: 0,
      out: 'created 2, changed 0, unchanged 0, refused 0 of 2 lines\n',
      error: '',
    });
    expect((await importFile('people.csv', file)).out).toBe('created 0, changed 0, unchanged 2, refused 0 of 2 lines\n');
    const changed = await importFile('people.jsonl', '{"personalId":"a1","cif":"a1","firstName":"Łucja","lastName":"Nowa"}\n');
    expect(changed.out).toBe('created 0, changed 1, unchanged 0, refused 0 of 1 lines\n');
    const { rows } = await portal.pool.query(
      `select last_name, group_id from client join group_member using (cif) where cif = 'a1' order by 2`,
    );
    expect(rows).toEqual([
      { last_name: 'Nowa', group_id: 'dom' },
      { last_name: 'Nowa', group_id: 'vip' },
    ]);
  });

  test('names the lines that are wrong, writes their neighbours, and ends with 1', async () => {
    const ended = await importFile(
      'people.csv',
      'personalId,cif,firstName,lastName\nb1,b1,Anna,Nowak\nb 2,b2,Anna,Nowak\nb3,b3,Anna,Nowak\n',
    );
    expect(ended).toEqual({
      code: 1,
      out: 'created 2, changed 0, unchanged 0, refused 1 of 3 lines\n',
      error: 'line 3: personalId: must be 1 to 64 letters, digits or . _ @ -\npergamin: 1 line was refused\n',
    });
    expect(await countClients('b')).toBe(2);
  });

  test('a dry run of an import sends nothing, and needs neither key nor portal', async () => {
    const file = 'personalId,cif,firstName,lastName\nc1,c1,Anna,Nowak\n';
    const ended = await importFile('people.csv', file, ['--dry-run'], { PERGAMIN_KEY: '', PERGAMIN_URL: 'http://127.0.0.1:1' });
    expect(ended).toEqual({ code: 0, out: '1 clients could be sent, refused 0 of 1 lines\n', error: '' });
    expect(await countClients('c')).toBe(0);
  });

  test('an address whose domain has letters beyond ASCII is written, one with such letters before the @ is refused with the reason', async () => {
    const header = 'personalId;cif;firstName;lastName;email';
    const ended = await importFile('people.csv', `${header}\nidn1;idn1;Jan;Idn;jan@żółć.example\nidn2;idn2;Jan;Idn;żółć@example.com\n`);
    expect(ended.code).toBe(1);
    expect(ended.error).toMatch(/^line 3: email: must be an e-mail address, with nothing but ASCII before the @: /m);
    const written = await portal.pool.query(`select email from client where personal_id in ('idn1', 'idn2')`);
    expect(written.rows).toEqual([{ email: 'jan@żółć.example' }]);
  });

  test('an import without the right to it ends at once, and says so', async () => {
    const key = await portal.issueKey(['documents:publish']);
    const ended = await importFile('people.csv', 'personalId,cif,firstName,lastName\nd1,d1,Anna,Nowak\n', [], { PERGAMIN_KEY: key });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.error).toMatch(
      /^pergamin: CALL_NOT_PERMITTED: .+\n {2}key: it lacks the scope clients:write\n {2}repeat the command to go on\n$/,
    );
  });
});

describe('pergamin clients import, where new clients need a code', () => {
  let strict: CliPortal;
  beforeAll(async () => {
    strict = await startCliPortal({ ACTIVATION_SECOND_FACT: 'code' });
  });
  afterAll(() => strict[Symbol.asyncDispose]());

  const head = 'personalId,cif,firstName,lastName,email,language\n';
  const ewa = 'e1,e1,Ewa,Lis,e1@example.com,EN\n';
  const jan = 'e2,e2,Jan,Lis,e2@example.com,\n';
  const readCodes = async (name: string): Promise<string[]> => (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n');
  const aCode = '[B-DF-HJ-NP-TV-XZ2-9]{4}-[B-DF-HJ-NP-TV-XZ2-9]{4}';

  test('puts each code into a file of its owner, once', async () => {
    const first = await importFile('new.csv', `${head}${ewa}`, [], strict.environment);
    expect(first).toMatchObject({
      code: 0,
      out: 'created 1, changed 0, unchanged 0, refused 0 of 1 lines\nactivation codes: 1 in new.codes.csv\n',
    });
    expect((await stat(join(folder, 'new.codes.csv'))).mode & 0o777).toBe(0o600);
    const both = await importFile('new.csv', `${head}${ewa}${jan}`, [], strict.environment);
    expect(both.out).toContain('created 1, changed 0, unchanged 1');
    const [columns, ...rows] = await readCodes('new.codes.csv');
    expect(columns).toBe('personalId,code');
    expect(rows.map((row) => row.replace(new RegExp(`,${aCode}$`), ' has one'))).toEqual(['e1 has one', 'e2 has one']);
    const again = await importFile('new.csv', `${head}${ewa}${jan}`, [], strict.environment);
    expect(again.out).toBe('created 0, changed 0, unchanged 2, refused 0 of 2 lines\n');
    expect(await readCodes('new.codes.csv')).toHaveLength(3);
  });

  test('gives new ones when people are invited again, into the file that is named', async () => {
    const ended = await importFile('again.csv', `${head}${ewa}`, ['--reinvite', '--codes', 'letters.csv'], strict.environment);
    expect(ended.out).toBe('created 0, changed 0, unchanged 1, refused 0 of 1 lines\nactivation codes: 1 in letters.csv\n');
    const [before] = (await readCodes('new.codes.csv')).filter((row) => row.startsWith('e1,'));
    expect((await readCodes('letters.csv')).at(-1)).not.toBe(before);
    const { rows } = await strict.portal.pool.query(
      `select language, count(*)::int as mails from mail_outbox where recipient = 'e1@example.com' group by 1`,
    );
    expect(rows).toEqual([{ language: 'EN', mails: 2 }]);
  });

  test('puts the new one in place of the older one, which is void, and leaves those of other people', async () => {
    await writeFile(join(folder, 'void.codes.csv'), 'personalId,code\ne1,HK7W-2QXR\ne9,HK7W-2QXR', { mode: 0o600 });
    await importFile('void.csv', `${head}${ewa}`, ['--reinvite'], strict.environment);
    const [columns, others, renewed, ...more] = await readCodes('void.codes.csv');
    expect([columns, others, more]).toEqual(['personalId,code', 'e9,HK7W-2QXR', []]);
    expect(renewed).toMatch(new RegExp(`^e1,(?!HK7W-2QXR)${aCode}$`));
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('says what to do when they cannot be kept', async () => {
    const ended = await importFile('lost.csv', `${head}e3,e3,Ola,Lis,e3@example.com,\n`, ['--codes', '.'], strict.environment);
    expect(ended.code).toBe(1);
    expect(ended.error).toContain('1 activation codes could not be written to .: name another file with --codes');
    expect(ended.error).toContain('--reinvite');
  });
});

const bin = fileURLToPath(new URL('../bin/pergamin.mjs', import.meta.url));
const many = 100_000;

/** What Linux says was the most memory that a process ever held. */
const readPeakBytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024;
};

describe.runIf(process.env['NIGHTLY'] === '1' && process.platform === 'linux')('a hundred thousand people', () => {
  test('are imported in memory that does not grow with them', { timeout: 900_000 }, async () => {
    const path = join(folder, 'many.csv');
    const file = createWriteStream(path);
    file.write('personalId,cif,firstName,lastName,email,phone,groups\n');
    for (let index = 0; index < many; index += 1)
      if (
        !file.write(
          `m${index},m${index},Anna,Nowak-${index},m${index}@example.com,+48600${String(index).padStart(6, '0')},g${index % 50}\n`,
        )
      )
        await once(file, 'drain');
    file.end();
    await once(file, 'finish');
    const { PATH = '' } = process.env;
    // A runtime that may spread out takes what the machine has before it tidies up; a hundred thousand records would not fit into this one.
    const environment = { PATH, ...standing, NODE_OPTIONS: '--max-old-space-size=48 --max-semi-space-size=4' };
    const child = spawn(process.execPath, [bin, 'clients', 'import', path], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    const closed = once(child, 'close');
    let peakBytes = 0;
    while (child.exitCode === null && child.signalCode === null) {
      peakBytes = Math.max(peakBytes, await readPeakBytes(child.pid ?? 0));
      await Promise.race([closed, pause(100)]);
    }
    await closed;
    expect(out).toBe(`created ${many}, changed 0, unchanged 0, refused 0 of ${many} lines\n`);
    expect(await countClients('m')).toBe(many);
    const { rows } = await portal.pool.query(`select count(*)::int as mails from mail_outbox where template = 'activation'`);
    expect(rows).toEqual([{ mails: many }]);
    expect(peakBytes).toBeGreaterThan(0);
    expect(peakBytes).toBeLessThan(200 * 1_024 * 1_024);
  });
});
