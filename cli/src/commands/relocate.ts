import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { relocatePath } from '../server-program.ts';

export const relocate = {
  usage: `pergamin relocate --to BUCKET|FOLDER
    Copies all objects from the store of the settings to another one, a bucket (as OBJECTS_URL has it) or a folder (as
    DATA_DIR/objects), and compares each there. While a portal works it only copies; once it is stopped, the rows of the
    database are switched as well. It may be broken off at any time and goes on with the next run. Nothing is removed.

pergamin relocate --remove --from BUCKET|FOLDER
    Afterwards, with the new settings: removes the objects of the former store whose copies are the same.

    Run both on the portal's machine, with its settings, as its user; docs/storage.md.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const options = { to: { type: 'string' }, from: { type: 'string' }, remove: { type: 'boolean' } } as const;
    const { values, positionals } = readArguments(args, { options, usage: relocate.usage });
    const { to, from, remove = false } = values;
    const store = remove ? from : to;
    if (positionals.length > 0 || store === undefined || (to !== undefined && from !== undefined)) throw new UsageError(relocate.usage);
    await runServerProgram(relocatePath, [remove ? 'remove' : 'move', store]);
  },
};
