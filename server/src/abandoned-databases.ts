import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { listAbandoned, removeAbandoned } from '#platform/database/embedded-postgres/abandoned.ts';
import { EmbeddedPostgresError } from '#platform/database/embedded-postgres/errors.ts';
import { STATE_FOLDER } from '#platform/database/embedded-postgres/instances.ts';

/*
 * What `pergamin database` runs, where the portal is installed: lists the databases beside DATA_DIRs that no DATA_DIR names now, or removes
 * one of them when its id was typed.
 */

const list = async (stateFolder: string): Promise<void> => {
  const found = await listAbandoned(stateFolder);
  if (found.length === 0) process.stdout.write(`no abandoned database in ${stateFolder}\n`);
  for (const { id, folder, dataDir, hasDataDir, bytes, lastUsedAt } of found) {
    const owner = dataDir === undefined ? 'unknown' : `${dataDir} (${hasDataDir ? 'has another database now' : 'is not there now'})`;
    process.stdout.write(
      `${id}\n    path       ${folder}\n    size       ${Math.ceil(bytes / 2 ** 20)} MiB\n    last used  ${lastUsedAt.toISOString()}\n    DATA_DIR   ${owner}\n`,
    );
  }
};

const askFor = async (id: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(`The database ${id} will be gone for good, with everything in it. Type its id to remove it: `);
  } finally {
    terminal.close();
  }
};

const remove = async (stateFolder: string, { id, typed }: { id: string; typed: string | undefined }): Promise<void> => {
  const found = (await listAbandoned(stateFolder)).some((database) => database.id === id);
  // Before the operator is asked to type something.
  if (!found) return removeAbandoned({ stateFolder, id });
  const confirmed = (typed ?? (process.stdin.isTTY ? await askFor(id) : '')).trim();
  if (confirmed !== id) throw new EmbeddedPostgresError(`Nothing was removed: confirm with --yes ${id}`);
  await removeAbandoned({ stateFolder, id });
  process.stdout.write(`removed ${id}\n`);
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { in: { type: 'string', default: STATE_FOLDER }, yes: { type: 'string' } },
});
const [verb, id = ''] = positionals;
try {
  await (verb === 'remove' ? remove(values.in, { id, typed: values.yes }) : list(values.in));
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 1;
}
