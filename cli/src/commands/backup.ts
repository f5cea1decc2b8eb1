import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { backupPath } from '../server-program.ts';

type Flag = 'without-objects' | 'unauthenticated' | 'yes';

interface Words {
  readonly verb: string;
  readonly usage: string;
  readonly mustNameKeys: boolean;
  readonly flags: readonly Flag[];
}

const flags = { 'without-objects': { type: 'boolean' }, unauthenticated: { type: 'boolean' }, yes: { type: 'boolean' } } as const;

const command = ({ verb, usage, mustNameKeys, flags: allowed }: Words) => ({
  usage,
  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { keys: { type: 'string' }, ...flags }, usage });
    const [folder, ...others] = positionals;
    const given = (['without-objects', 'unauthenticated', 'yes'] as const).filter((flag) => values[flag] === true);
    if (given.some((flag) => !allowed.includes(flag))) throw new UsageError(usage);
    if (folder === undefined || others.length > 0 || (mustNameKeys && values.keys === undefined)) throw new UsageError(usage);
    const keys = values.keys === undefined ? [] : ['--keys', values.keys];
    await runServerProgram(backupPath, [...given.map((flag) => `--${flag}`), ...keys, '--', verb, folder]);
  },
});

export const backup = command({
  verb: 'backup',
  mustNameKeys: true,
  flags: ['without-objects'],
  usage: `pergamin backup FOLDER --keys OTHER [--without-objects]
    Copies database, documents and ledger to the new FOLDER, and the keys of both to the new folder OTHER, while the
    portal works on. OTHER also has the key that authenticates FOLDER. For the embedded database; docs/backup.md has the
    way for a PostgreSQL server of your own. Run it on the portal's machine, with its settings, as its user or as root.
    Documents in a bucket are not copied: with --without-objects the rest is, and the bucket is replicated by its own means.`,
});

export const restore = command({
  verb: 'restore',
  mustNameKeys: true,
  flags: ['unauthenticated', 'yes'],
  usage: `pergamin restore FOLDER --keys OTHER [--unauthenticated [--yes]]
    Brings a backup back into the empty DATA_DIR of these settings, once the keys have authenticated it, and checks each
    file on the way. The configuration of PostgreSQL is written anew. Start the portal afterwards, and run
    \`pergamin audit\`. A backup of before, which nothing authenticates, is restored with --unauthenticated only: it asks,
    and without a terminal needs --yes.`,
});

export const verifyBackup = command({
  verb: 'verify-backup',
  mustNameKeys: false,
  flags: ['unauthenticated'],
  usage: `pergamin verify-backup FOLDER --keys OTHER
    Says whether the keys authenticate the list of a backup, which files are missing or were changed, and what lies there
    that is not on the list.

pergamin verify-backup FOLDER [--keys OTHER] --unauthenticated
    The same for a backup of before, which nothing authenticates, by its list alone.`,
});
