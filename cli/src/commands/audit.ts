import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { auditPath, compareCheckpointPath } from '../server-program.ts';

/** As much as one word of a command line may have; a receipt has a few kilobytes. */
const maxCharacters = 100_000;

/** Of a file, of standard input, or as it was given: the text itself has lines, or the signs of one. Throws UsageError. */
const readCheckpoint = async (given: string): Promise<string> => {
  if (given === '-') return text(process.stdin);
  if (/\n| · /.test(given)) return given;
  return readFile(given, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${given} cannot be read, and is no checkpoint`, { cause: error });
  });
};

export const audit = {
  usage: `pergamin audit [--json]
    Whether what is kept is what was published: rebuilds the ledger's tree from its entries and compares it with the
    published checkpoint and with the tiles; lists entries whose document, place in the register, delivery or bytes are
    gone and that were not forgotten, and published documents without an entry; and tells what the daily readings of the
    stored documents gave. Changes nothing. Run it on the portal's machine, with its settings (DATA_DIR,
    DATABASE_URL), as its user or as root.
    Exit code 0: all is well, 1: something is wrong, or could not be looked at.

pergamin audit --checkpoint FILE|TEXT|- [--json]
    Whether a checkpoint that somebody kept, in a mail, a receipt or a file of its own, is a part of this ledger: it
    must be signed by the ledger's key, and the entries must give its root and continue it. The whole mail may be
    given; - is standard input. Exit code 0: it is a part, 1: it is not, or has more entries than there are,
    2: not compared, as it is signed by another key, of another ledger, or none.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const options = { json: { type: 'boolean' }, checkpoint: { type: 'string' } } as const;
    const { values, positionals } = readArguments(args, { options, usage: audit.usage });
    if (positionals.length > 0) throw new UsageError(audit.usage);
    const more = values.json === true ? ['--json'] : [];
    if (values.checkpoint === undefined) return runServerProgram(auditPath, more);
    const given = await readCheckpoint(values.checkpoint);
    if (given.length > maxCharacters) throw new UsageError(`the text is too long for a checkpoint: at most ${maxCharacters} characters`);
    return runServerProgram(compareCheckpointPath, [given.replaceAll('\0', ''), ...more]);
  },
};
