import { calls } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { removeDemoPath } from '../server-program.ts';

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
    // In the portal's own environment, with the terminal: it asks before it removes anything.
    if (values.offline === true) return runServerProgram(removeDemoPath, values.yes === true ? ['--yes'] : []);
    const removed = await connection.call(calls.removeDemo, {});
    process.stdout.write(`removed ${removed.clients} clients, ${removed.documents} documents, ${removed.statutes} statutes\n`);
    return undefined;
  },
};
