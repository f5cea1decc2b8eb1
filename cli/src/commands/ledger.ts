import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { ledgerRepairPath } from '../server-program.ts';

export const ledger = {
  usage: `pergamin ledger rebuild
    Writes the tiles of the ledger anew from the entries of the database.

pergamin ledger adopt
    After a database was restored from a backup: takes over, from the files of the ledger, the entries that were signed
    since, so that the ledger goes on. What they said of documents that are not public is lost.

    Both work beside the portal or while it is stopped: run them on its machine, with its settings, as its user.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { positionals } = readArguments(args, { options: {}, usage: ledger.usage });
    const [verb = '', ...more] = positionals;
    if (!['rebuild', 'adopt'].includes(verb) || more.length > 0) throw new UsageError(ledger.usage);
    await runServerProgram(ledgerRepairPath, [verb]);
  },
};
