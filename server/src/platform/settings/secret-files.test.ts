import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeSettings } from './describe-settings.ts';
import { readSettings, secretNames } from './settings.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

const url = 'postgres://portal:canary-secret@db.example.com/portal';

const fileOf = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};

describe('a secret given as a file', () => {
  test.each([
    ['as it is', url],
    ['without the line end that an editor adds', `${url}\n`],
    ['without the line end of Windows', `${url}\r\n`],
  ])('is read %s', async (_title, content) => {
    const settings = readSettings({ DATABASE_URL_FILE: await fileOf('database', content) });
    expect(settings.databaseUrl).toBe(readSettings({ DATABASE_URL: url }).databaseUrl);
  });

  test('is not printed, and its place is said to be a file', async () => {
    const described = describeSettings({ DATABASE_URL_FILE: await fileOf('printed', url) });
    expect(described.settings.find(({ name }) => name === 'DATABASE_URL')).toMatchObject({ value: 'set', from: 'file' });
    expect(JSON.stringify(described)).not.toContain('canary');
  });

  test('is refused when the setting is written in the environment as well', async () => {
    const environment = { DATABASE_URL: url, DATABASE_URL_FILE: await fileOf('twice', url) };
    expect(describeSettings(environment).problems).toEqual(['DATABASE_URL_FILE: DATABASE_URL is set as well; leave one of them out.']);
  });

  test.each([
    ['empty', '\n', 'the file is empty'],
    ['longer than a secret can be', 'canary'.repeat(20_000), 'the file is longer than 64 KiB'],
    ['not text', new Uint8Array([0xff, 0xfe, 0]), 'the file is not UTF-8'],
  ])('is refused when it is %s', async (title, content, reason) => {
    const environment = { SMTP_URL_FILE: await fileOf(title, content) };
    expect(describeSettings(environment).problems).toEqual([`SMTP_URL_FILE: ${reason}.`]);
  });

  test('is refused when it is not there or a folder', () => {
    expect(describeSettings({ SMTP_URL_FILE: join(folder, 'none') }).problems).toEqual([
      'SMTP_URL_FILE: the file cannot be read (ENOENT).',
    ]);
    expect(describeSettings({ SMTP_URL_FILE: folder }).problems).toEqual(['SMTP_URL_FILE: the file cannot be read (EISDIR).']);
  });

  test('is judged by the rules of its setting, without being repeated', async () => {
    const { problems } = describeSettings({ SMTP_URL_FILE: await fileOf('wrong', 'canary-not-an-address') });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^SMTP_URL: /);
    expect(problems[0]).not.toContain('canary');
  });
});

test('every secret can be a file, and no setting that may be printed', () => {
  expect(secretNames).toEqual(expect.arrayContaining(['DATABASE_URL', 'DATABASE_MIGRATION_URL', 'SMTP_URL']));
  expect(secretNames).not.toContain('PORT');
  expect(readSettings({ PORT_FILE: join(folder, 'none') }).port).toBe(8080);
});
