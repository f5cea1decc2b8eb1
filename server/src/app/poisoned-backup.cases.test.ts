import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { completeBackup } from '#platform/backup/backup-folder.ts';
import { makeBackupKey } from '#platform/backup/backup-list.ts';
import { restoreHere, verifyBackup } from './backup-here.ts';

/** Somebody may write to the folder of a backup, renews its list, and has no keys. */

let home: string;
let folder: string;
let keys: string;

const contents: Readonly<Record<string, string>> = {
  'postgres/PG_VERSION': '18\n',
  'postgres/backup_label': 'START WAL LOCATION\n',
  'postgres/global/pg_control': 'control',
  'postgres/base/5/1259': 'a table',
  'postgres/pg_wal/000000010000000000000001': 'log',
  'objects/store-id': '00000000-0000-4000-8000-000000000000\n',
  'objects/ab/cd/abcd0000-0000-4000-8000-000000000000': 'a document',
  'ledger/checkpoint': 'a checkpoint',
};

const put = async (path: string, text: string, root = folder): Promise<void> => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await chmod(join(root, path), 0o600).catch(() => undefined);
  await writeFile(join(root, path), text);
};

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pergamin-poisoned-'));
  [folder, keys] = [join(home, 'taken'), join(home, 'keys')];
  for (const [path, text] of Object.entries(contents)) await put(path, text);
  await put('ledger.key', 'key of the ledger', keys);
  await put('encryption.key', 'key of the documents', keys);
  const key = await makeBackupKey(keys);
  await completeBackup(keys);
  await completeBackup(folder, key);
});
afterEach(() => rm(home, { recursive: true, force: true }));

const list = () => join(folder, 'files.sha256');
const mac = () => join(folder, 'files.sha256.hmac');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** As somebody does who knows how a backup is made. */
const renewList = async (extra = ''): Promise<void> => {
  const kept = await readFile(mac(), 'utf8').catch(() => undefined);
  for (const path of [list(), mac()]) await rm(path, { force: true });
  await completeBackup(folder);
  if (kept !== undefined) await writeFile(mac(), kept);
  await chmod(list(), 0o600);
  await writeFile(list(), `${await readFile(list(), 'utf8')}${extra}`);
};

const dataDir = (): string => join(home, 'data');
const restore = (more: { unauthenticated?: boolean } = {}) => restoreHere({ DATA_DIR: dataDir() }, { folder, keys, ...more });
const verify = (more: { unauthenticated?: boolean } = {}) => verifyBackup({ folder, keys, ...more });

const expectRefused = async (reason: RegExp, more: { unauthenticated?: boolean } = {}): Promise<void> => {
  await expect(verify(more)).rejects.toThrow(reason);
  await expect(restore(more)).rejects.toThrow(reason);
  await expect(access(dataDir())).rejects.toMatchObject({ code: 'ENOENT' });
};

/** Without what authenticates it, as backups of before are. */
const makeOld = async (): Promise<void> => {
  await rm(mac(), { force: true });
  for (const name of ['backup.key', 'files.sha256']) await rm(join(keys, name), { force: true });
  await completeBackup(keys);
};

test('a backup that nobody changed is verified, and restored with a configuration of its own', async () => {
  expect(await verify()).toBe(8 + 3);
  await restore();
  const data = join(dataDir(), 'postgres', 'data');
  expect(await readFile(join(data, 'base/5/1259'), 'utf8')).toBe('a table');
  for (const name of ['postgresql.conf', 'postgresql.auto.conf'])
    expect((await readFile(join(data, name), 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  expect(await readFile(join(data, 'pg_hba.conf'), 'utf8')).toBe('local all all reject\n');
  expect(await readdir(join(data, 'pg_tblspc'))).toEqual([]);
});

const command = `archive_mode = on\narchive_command = 'touch /tmp/marker'\n`;
const poisons: readonly (readonly [what: string, poison: () => Promise<void>])[] = [
  ['a command in postgresql.auto.conf', () => put('postgres/postgresql.auto.conf', command)],
  ['a command in postgresql.conf', () => put('postgres/postgresql.conf', `ssl_passphrase_command = 'touch /tmp/marker'\n`)],
  ['an open door in pg_hba.conf', () => put('postgres/pg_hba.conf', 'host all all all trust\n')],
  ['a recovery that runs a command', () => put('postgres/recovery.signal', '')],
  ['a standby that follows another server', () => put('postgres/standby.signal', '')],
  ['a map of tablespaces', () => put('postgres/tablespace_map', '16999 /etc\n')],
  ['a library', () => put('postgres/evil.so', 'machine code')],
  ['another document', () => put('objects/ab/cd/abcd0000-0000-4000-8000-000000000000', 'another document')],
  ['another table', () => put('postgres/base/5/1259', 'another table')],
  ['another checkpoint', () => put('ledger/checkpoint', 'another checkpoint')],
  ['a document less', () => rm(join(folder, 'objects/ab/cd/abcd0000-0000-4000-8000-000000000000'))],
];

describe.each(poisons)('%s, with the list renewed', (_, poison) => {
  test('is refused, since the keys do not authenticate the list', async () => {
    await poison();
    await renewList();
    await expectRefused(/is not what was written with these keys/);
    // The flag is for backups of before: nothing gets past keys that there are.
    await expectRefused(/is not what was written with these keys/, { unauthenticated: true });
  });

  test('is refused when the MAC is removed, with the flag, too', async () => {
    await poison();
    await rm(mac());
    await renewList();
    await expectRefused(/has no files\.sha256\.hmac, and its keys say that there was one/);
    await expectRefused(/has no files\.sha256\.hmac, and its keys say that there was one/, { unauthenticated: true });
  });

  test('is refused with the list of before', async () => {
    await poison();
    await expect(verify()).rejects.toThrow(/not on its list|missing or were changed/);
    await expect(restore()).rejects.toThrow(/not on its list|missing or was changed/);
    // No portal starts on what a refusal has left.
    await expect(access(join(dataDir(), 'postgres', 'data', 'PG_VERSION'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('what leads elsewhere is refused', () => {
  test.each([
    ['a link to a file', (): Promise<void> => symlink('/etc/passwd', join(folder, 'objects', 'link'))],
    ['a link to a folder', (): Promise<void> => symlink('/etc', join(folder, 'postgres', 'pg_tblspc'))],
    [
      'a link in the place of a listed file',
      async (): Promise<void> => {
        const path = join(folder, 'ledger/checkpoint');
        await cp(path, join(home, 'elsewhere'));
        await rm(path);
        await symlink(join(home, 'elsewhere'), path);
      },
    ],
    [
      'a socket',
      async (): Promise<void> => {
        const server = createServer().listen(join(folder, 'ledger', 's'));
        await once(server, 'listening');
        onTestFinished(() => void server.close());
      },
    ],
  ] as const)('%s', async (_, poison) => {
    await poison();
    await expectRefused(/are links or devices/);
    await makeOld();
    await expectRefused(/are links or devices/, { unauthenticated: true });
  });

  test.each(['../escaped', '/etc/escaped', 'objects/../../escaped', 'objects//escaped', './escaped', 'files.sha256', 'ledger/checkpoint'])(
    'the name %s in a list',
    async (name) => {
      await makeOld();
      await renewList(`${sha256('escaped')}  ${name}\n`);
      await expectRefused(/files\.sha256 of .* is damaged/, { unauthenticated: true });
    },
  );
});

describe('a backup of before, which nothing authenticates', () => {
  beforeEach(makeOld);

  test('is refused, and taken only by the flag', async () => {
    await expectRefused(/is not authenticated: .*--unauthenticated/);
    expect(await verify({ unauthenticated: true })).toBe(8 + 2);
    await restore({ unauthenticated: true });
    expect(await readFile(join(dataDir(), 'ledger', 'checkpoint'), 'utf8')).toBe('a checkpoint');
  });

  test('brings no configuration along: what it says of commands is left', async () => {
    await put('postgres/postgresql.auto.conf', command);
    await put('postgres/pg_hba.conf', 'host all all all trust\n');
    await renewList();
    await restore({ unauthenticated: true });
    const data = join(dataDir(), 'postgres', 'data');
    for (const name of await readdir(data)) {
      const text = name.endsWith('.conf') ? await readFile(join(data, name), 'utf8') : '';
      expect(text).not.toMatch(/archive|trust/);
    }
  });

  test.each([
    'recovery.signal',
    'standby.signal',
    'recovery.conf',
    'tablespace_map',
    'evil.so',
    'postmaster.opts',
    'pg_tblspc/16999/PG_18/1',
  ])('is refused with %s, which is no part of a database', async (name) => {
    await put(`postgres/${name}`, 'poison');
    await renewList();
    await expectRefused(/holds files that are no part of a database/, { unauthenticated: true });
  });
});

test('the keys of another backup authenticate nothing', async () => {
  await rm(join(keys, 'backup.key'));
  await makeBackupKey(keys);
  await expectRefused(/or the keys are those of another backup/);
});

test('a key that was changed in the folder of keys is not restored', async () => {
  await put('ledger.key', 'another key', keys);
  await expectRefused(/of .*keys are missing or were changed: ledger\.key/);
});

test('without its keys a backup is neither verified nor called right', async () => {
  await expect(verifyBackup({ folder })).rejects.toThrow(/can be authenticated only with the folder of its keys/);
  await expect(verifyBackup({ folder, unauthenticated: true })).rejects.toThrow(/can be authenticated only with the folder of its keys/);
});
