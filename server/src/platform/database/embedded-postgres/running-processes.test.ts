import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { endPreviousProcesses, listProcessesOn } from './running-processes.ts';

test('a database that an earlier start left running is ended, down to its last process', async ({ onTestFinished }) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-previous-'));
  onTestFinished(async () => rm(dataDir, { recursive: true, force: true }));
  const ended = Promise.withResolvers<Error>();
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog(), onUnexpectedExit: ended.resolve });
  const dataFolder = await readlink(join('/proc', String(postgres.pid), 'cwd'));
  expect(await listProcessesOn(dataFolder)).toContain(postgres.pid);

  await endPreviousProcesses(dataFolder);
  expect(await listProcessesOn(dataFolder)).toEqual([]);
  expect((await ended.promise).message).toMatch(/^PostgreSQL ended with 0/);
  await postgres.stop();
});

test('a folder where nothing runs is left at once', async () => {
  await expect(endPreviousProcesses(join(tmpdir(), 'no such folder'))).resolves.toBeUndefined();
});
