import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { encryptionKeysPath } from '../server-program.ts';

/** How many words stand behind each verb. */
const verbs: Readonly<Record<string, number>> = { status: 0, backup: 1, rotate: 1 };

export const encryption = {
  usage: `pergamin encryption status
    Whether documents are encrypted, where the key file is, its versions, and up to which it was backed up.

pergamin encryption backup FILE
    Writes a copy of the key file to a new FILE, not encrypted, and notes that it was backed up. Without the key no
    document can be read: keep FILE apart from the database and the objects.

pergamin encryption rotate FILE
    Adds a version to the key file, backs the file up to a new FILE, and wraps the keys of all clients by it. Documents
    are not touched. A rotation that was broken off is finished by the next one.

    All three work beside the portal or while it is stopped: run them on its machine, with its settings, as its user.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { positionals } = readArguments(args, { options: {}, usage: encryption.usage });
    const [verb = '', ...words] = positionals;
    if (!Object.hasOwn(verbs, verb) || words.length !== verbs[verb]) throw new UsageError(encryption.usage);
    await runServerProgram(encryptionKeysPath, positionals);
  },
};
