import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { startEmbeddedPostgresProcess } from '#testing/start-embedded-postgres-process.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { isRoot } from './operating-system-user.ts';
import { findRunningDatabase } from './running-database.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-beside-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test(
  'a program beside the portal connects as the portal’s role while it runs, and finds nothing when it has stopped',
  { timeout: 60_000 },
  async () => {
    const dataDir = join(folder, 'data');
    await (await startEmbeddedPostgres({ dataDir, log: silentLog() })).stop();
    expect(await findRunningDatabase({ dataDir })).toBeUndefined();
    await using running = await startEmbeddedPostgresProcess({ dataDir });
    const connection = await findRunningDatabase({ dataDir });
    expect(connection).toEqual({ ...running.connection, user: 'pergamin_portal' });
    const client = new Client({ ...connection });
    await client.connect();
    const { rows } = await client.query('select current_user::text as role');
    await client.end();
    expect(rows).toEqual([{ role: 'pergamin_portal' }]);
  },
);

test.each(['nowhere', 'empty'])('in a folder where no portal was started nothing is made: %s', async (name) => {
  const dataDir = join(folder, name);
  if (name === 'empty') await mkdir(dataDir);
  await expect(findRunningDatabase({ dataDir })).rejects.toThrow(`There is no portal’s database in ${dataDir}`);
  expect(await readdir(dataDir).catch(() => [])).toEqual([]);
});

test.skipIf(isRoot())('a user who may not enter the folder is told to be another one', async () => {
  const dataDir = join(folder, 'closed');
  await mkdir(dataDir);
  await chmod(dataDir, 0o000);
  await expect(findRunningDatabase({ dataDir })).rejects.toThrow(`${dataDir} is closed to this user`);
  await chmod(dataDir, 0o700);
});
