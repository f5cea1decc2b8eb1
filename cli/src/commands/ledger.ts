import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { ledgerRepairPath } from '../server-program.ts';

export const ledger = {
  usage: `pergamin ledger rebuild
    Writes the tiles of the ledger anew from the entries of the database.

pergamin ledger adopt [--yes]
    Lets a halted ledger go on. After a database was restored from a backup: takes over, from the files of the ledger,
    the entries that were signed since; what they said of documents that are not public is lost. After the file of the
    last checkpoint was lost: signs what is left, which assumes that nobody was shown more. Says what is lost and what
    is assumed, and asks first, unless --yes is given. The database keeps a row of it, which status shows.

    Both work beside the portal or while it is stopped: run them on its machine, with its settings, as its user.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { yes: { type: 'boolean' } }, usage: ledger.usage });
    const [verb = '', ...more] = positionals;
    const fits = verb === 'adopt' || (verb === 'rebuild' && values.yes === undefined);
    if (!fits || more.length > 0) throw new UsageError(ledger.usage);
    await runServerProgram(ledgerRepairPath, [verb, ...(values.yes === true ? ['--yes'] : [])]);
  },
};
