import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { KeyUnavailable } from '#app/start.ts';
import { BackupError, backUpHere, restoreHere, verifyBackup } from '#app/backup-here.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin backup`, `restore` and `verify-backup` run. */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keys: { type: 'string' },
    'without-objects': { type: 'boolean', default: false },
    unauthenticated: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
});
const [verb, folder = ''] = positionals;
const { keys, unauthenticated } = values;

const givenUp = `An unauthenticated backup is restored as it lies there. Whoever could write to it may have changed documents, accounts and what the
database does, and nothing will tell. Its configuration of PostgreSQL is not taken.
`;

/** @throws BackupError where nobody agrees */
const requireAgreement = async (): Promise<void> => {
  process.stderr.write(givenUp);
  if (values.yes) return;
  if (!process.stdin.isTTY) throw new BackupError('nothing was restored: say --yes where there is no terminal');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Type "unauthenticated" to restore it like this: ');
  terminal.close();
  if (answer.trim() !== 'unauthenticated') throw new BackupError('nothing was restored');
};

const verify = async (): Promise<string> => {
  const files = await verifyBackup({ folder, keys, unauthenticated });
  return unauthenticated
    ? `each of the ${files} files is as the list says, and NOBODY AUTHENTICATED THE LIST: whoever could write to the backup could write it, too`
    : `each of the ${files} files is as it was written, and the keys authenticate their list`;
};

const run = async (): Promise<string> => {
  if (verb === 'verify-backup') return verify();
  if (keys === undefined) throw new BackupError('name the folder of the keys: --keys OTHER');
  if (verb === 'restore') {
    if (unauthenticated) await requireAgreement();
    await restoreHere(process.env, { folder, keys, unauthenticated });
    return 'restored; start the portal, then run `pergamin audit`';
  }
  const files = await backUpHere(process.env, { folder, keys, withoutObjects: values['without-objects'] });
  return `wrote ${files} files to ${folder}, and the keys to ${keys}\nWith both, every document can be read: keep them apart.`;
};

try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  if (!(error instanceof BackupError) && !(error instanceof KeyUnavailable) && !isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 1;
}
