import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { abandonedDatabasesPath } from '../server-program.ts';

export const database = {
  usage: `pergamin database abandoned [--in FOLDER]
    The embedded databases in /var/lib/pergamin whose data folder is gone or has another one: where each lies, its
    size, when it was used last, and which DATA_DIR it belonged to. Run it where the portal runs, as root.

pergamin database remove-abandoned ID [--yes ID] [--in FOLDER]
    Removes one of them for good, after its id was typed (or given with --yes). Refused while PostgreSQL runs on it
    and while its DATA_DIR names it.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, {
      options: { in: { type: 'string' }, yes: { type: 'string' } },
      usage: database.usage,
    });
    const [verb, id, ...more] = positionals;
    const folder = values.in === undefined ? [] : ['--in', values.in];
    if (verb === 'abandoned' && id === undefined && values.yes === undefined)
      return runServerProgram(abandonedDatabasesPath, ['list', ...folder]);
    if (verb !== 'remove-abandoned' || id === undefined || more.length > 0) throw new UsageError(database.usage);
    return runServerProgram(abandonedDatabasesPath, ['remove', id, ...folder, ...(values.yes === undefined ? [] : ['--yes', values.yes])]);
  },
};
