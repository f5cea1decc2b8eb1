import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { prepareCluster } from './cluster.ts';
import { getServiceUser, isRoot, type OperatingSystemUser } from './operating-system-user.ts';

let folder: string;
let binFolder: string;
let user: OperatingSystemUser | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-cluster-'));
  binFolder = join(folder, 'bin');
  await mkdir(binFolder);
  user = isRoot() ? await getServiceUser(folder) : undefined;
  if (user !== undefined) await chown(folder, user.uid, user.gid);
});

afterEach(async () => rm(folder, { recursive: true, force: true }));

async function writeProgram(name: string, lines: string): Promise<void> {
  await writeFile(join(binFolder, name), `#!/bin/sh\n${lines}\n`);
  await chmod(join(binFolder, name), 0o755);
}

const prepare = async (): Promise<string> => prepareCluster({ binFolder, folder, user, allowed: ['somebody'], log: silentLog() });
const makesFolder = 'for word; do case $word in --pgdata=*) mkdir "${word#--pgdata=}";; esac; done';

test('a database that could not be made leaves no half of one, and the reason is told', async () => {
  await writeProgram('postgres', 'echo "postgres (PostgreSQL) 18.4"');
  await writeProgram('initdb', `${makesFolder}; echo "No space left on device" >&2; exit 1`);
  await expect(prepare()).rejects.toThrow('No space left on device');
  expect(await readdir(folder)).toEqual(['bin']);
});

test('a database whose making ends half-way is no database', async () => {
  await writeProgram('postgres', 'case $1 in --version) echo "postgres (PostgreSQL) 18.4";; *) echo "FATAL" >&2; exit 2;; esac');
  await writeProgram('initdb', makesFolder);
  await expect(prepare()).rejects.toThrow('ended with 2: FATAL');
  expect(await readdir(folder)).toEqual(['bin']);
});

test('what a killed start left half-made is removed', async () => {
  await mkdir(join(folder, 'data.new-0123456789abcdef'));
  await writeProgram('postgres', 'echo "postgres (PostgreSQL) 18.4"');
  await writeProgram('initdb', makesFolder);
  await prepare();
  expect((await readdir(folder)).sort()).toEqual(['bin', 'data']);
});

test('what another program put beside the database is left alone', async () => {
  await mkdir(join(folder, 'data.new-before-the-upgrade'));
  await writeProgram('postgres', 'echo "postgres (PostgreSQL) 18.4"');
  await writeProgram('initdb', makesFolder);
  await prepare();
  expect((await readdir(folder)).sort()).toEqual(['bin', 'data', 'data.new-before-the-upgrade']);
});

test.each([
  ['an empty folder, as of a disk that is not mounted', async () => {}],
  ['a database that is still being brought back', async () => writeFile(join(folder, 'data', 'postgresql.conf'), '')],
])('%s is not replaced by an empty database', async (_, fill) => {
  await mkdir(join(folder, 'data'));
  await fill();
  await writeProgram('postgres', 'echo "postgres (PostgreSQL) 18.4"');
  await writeProgram('initdb', makesFolder);
  await expect(prepare()).rejects.toThrow('holds no database');
});

test('only the users that are named may connect, over the socket and by what the kernel says of them', async () => {
  await writeProgram('postgres', 'echo "postgres (PostgreSQL) 18.4"');
  await writeProgram(
    'initdb',
    `${makesFolder}; for word; do case $word in --pgdata=*) echo "local all all trust" >"\${word#--pgdata=}/pg_hba.conf";; esac; done`,
  );
  await prepare();
  expect(await readFile(join(folder, 'data', 'pg_hba.conf'), 'utf8')).toBe('local all all peer map=portal\n');
  expect(await readFile(join(folder, 'data', 'pg_ident.conf'), 'utf8')).toBe(
    'portal "somebody" pergamin\nportal "somebody" pergamin_portal\n',
  );
});

test('a system without the locale C.UTF-8 gets plain C', async () => {
  await writeProgram('postgres', 'echo "postgres (PostgreSQL) 16.4 (Debian)"');
  const refuses = `case "$*" in *--locale=C.UTF-8*) echo 'initdb: error: invalid locale name "C.UTF-8"' >&2; exit 1;; esac`;
  await writeProgram('initdb', `${refuses}; ${makesFolder}; echo "$*" > "${join(folder, 'arguments')}"`);
  await prepare();
  expect(await readdir(folder)).toContain('data');
});

test('programs that are not there are named', async () => {
  await expect(prepare()).rejects.toThrow(`${join(binFolder, 'postgres')} could not be run`);
});
