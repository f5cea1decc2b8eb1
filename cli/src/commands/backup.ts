import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { backupPath } from '../server-program.ts';

interface Words {
  readonly verb: string;
  readonly usage: string;
  readonly mustNameKeys: boolean;
}

const command = ({ verb, usage, mustNameKeys }: Words) => ({
  usage,
  async run(_connection: Connection, args: string[]): Promise<void> {
    const options = { keys: { type: 'string' }, 'without-objects': { type: 'boolean' } } as const;
    const { values, positionals } = readArguments(args, { options, usage });
    const [folder, ...others] = positionals;
    const withoutObjects = values['without-objects'] === true;
    if (withoutObjects && verb !== 'backup') throw new UsageError(usage);
    if (folder === undefined || others.length > 0 || (mustNameKeys && values.keys === undefined)) throw new UsageError(usage);
    await runServerProgram(backupPath, [
      verb,
      folder,
      ...(values.keys === undefined ? [] : [values.keys]),
      ...(withoutObjects ? ['without-objects'] : []),
    ]);
  },
});

export const backup = command({
  verb: 'backup',
  mustNameKeys: true,
  usage: `pergamin backup FOLDER --keys OTHER [--without-objects]
    Copies database, documents and ledger to the new FOLDER, and the keys of both to the new folder OTHER, while the
    portal works on. For the embedded database; docs/backup.md has the way for a PostgreSQL server of your own. Run it
    on the portal's machine, with its settings, as its user or as root. Documents in a bucket are not copied: with
    --without-objects the rest is, and the bucket is replicated by its own means.`,
});

export const restore = command({
  verb: 'restore',
  mustNameKeys: true,
  usage: `pergamin restore FOLDER --keys OTHER
    Brings a backup back into the empty DATA_DIR of these settings, and checks each file on the way. Start the portal
    afterwards, and run \`pergamin audit\`.`,
});

export const verifyBackup = command({
  verb: 'verify-backup',
  mustNameKeys: false,
  usage: `pergamin verify-backup FOLDER [--keys OTHER]
    Reads each file of a backup and says which are missing or were changed, by the same list as
    \`sha256sum --check files.sha256\` does.`,
});
