import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { calls } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { removeDemoPath } from '../server-program.ts';

/** In the portal's own environment, with the terminal: it asks before it removes anything. */
const removeOffline = async ({ isAgreed }: { isAgreed: boolean }): Promise<void> => {
  if (!existsSync(removeDemoPath)) throw new UsageError('the portal is not installed here: run this on its machine');
  const child = spawn(process.execPath, [removeDemoPath, ...(isAgreed ? ['--yes'] : [])], { stdio: 'inherit' });
  await once(child, 'exit');
  process.exitCode = child.exitCode ?? 1;
};

export const demo = {
  usage: `pergamin demo remove [--offline [--yes]]
    Removes the demonstration people, documents and statutes, and nothing else. --offline: while the portal is
    stopped, from the database and the data folder that this environment names (DATABASE_URL, DATA_DIR); it says
    what there is and asks first, unless --yes is given.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, {
      options: { offline: { type: 'boolean' }, yes: { type: 'boolean' } },
      usage: demo.usage,
    });
    if (positionals.length !== 1 || positionals[0] !== 'remove') throw new UsageError(demo.usage);
    if (values.offline === true) return removeOffline({ isAgreed: values.yes === true });
    const removed = await connection.call(calls.removeDemo, {});
    process.stdout.write(`removed ${removed.clients} clients, ${removed.documents} documents, ${removed.statutes} statutes\n`);
    return undefined;
  },
};
