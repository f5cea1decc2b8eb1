import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { statusPath } from '../server-program.ts';

export const status = {
  usage: `pergamin status [--json]
    What is known of the portal by its database and folders: whether the ledger goes on, how old its last checkpoint is
    and what waits for the next one, when each witness cosigned last, what the last scrub found. Changes nothing. Run it
    on the portal's machine, with its settings, as its user or as root, beside the portal or while it is stopped.
    Exit code 0: all is fine, 1: a line marked LOOK needs somebody, 2: something could not be found out.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { json: { type: 'boolean' } }, usage: status.usage });
    if (positionals.length > 0) throw new UsageError(status.usage);
    await runServerProgram(statusPath, values.json === true ? ['--json'] : []);
  },
};
