import { KeyUnavailable } from '#app/start.ts';
import { BackupError, backUpHere, restoreHere, verifyBackup } from '#app/backup-here.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin backup`, `restore` and `verify-backup` run. */

const [, , verb, folder = '', keys = '', objects] = process.argv;

const run = async (): Promise<string> => {
  if (verb === 'verify-backup') {
    const files = (await verifyBackup(folder)) + (keys === '' ? 0 : await verifyBackup(keys));
    return `each of the ${files} files is as it was written`;
  }
  if (verb === 'restore') {
    await restoreHere(process.env, { folder, keys });
    return 'restored; start the portal, then run `pergamin audit`';
  }
  const files = await backUpHere(process.env, { folder, keys, withoutObjects: objects === 'without-objects' });
  return `wrote ${files} files to ${folder}, and the keys to ${keys}\nWith both, every document can be read: keep them apart.`;
};

try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  if (!(error instanceof BackupError) && !(error instanceof KeyUnavailable) && !isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 1;
}
