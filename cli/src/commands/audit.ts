import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { auditPath } from '../server-program.ts';

export const audit = {
  usage: `pergamin audit [--json]
    Whether what is kept is what was published: rebuilds the ledger's tree from its entries and compares it with the
    published checkpoint and with the tiles, and tells what the daily readings of the stored documents gave. Changes
    nothing. Run it on the portal's machine, with its settings (DATA_DIR, DATABASE_URL), as its user or as root.
    Exit code 0: all is well, 1: something is wrong, or could not be looked at.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { json: { type: 'boolean' } }, usage: audit.usage });
    if (positionals.length > 0) throw new UsageError(audit.usage);
    await runServerProgram(auditPath, values.json === true ? ['--json'] : []);
  },
};
