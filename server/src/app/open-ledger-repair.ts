import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createLedgerRepair, type LedgerRepair, LedgerRepairError } from '#features/ledger/ledger.door.ts';
import { isRoot } from '#platform/database/embedded-postgres/operating-system-user.ts';
import { unlessMissing } from '#platform/disk/files.ts';
import { openDatabaseHere } from './open-database-here.ts';

/**
 * For `pergamin ledger`: the ledger of this environment, beside a portal that runs as well as while none does. Root goes on as the owner of its folder.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError, LedgerRepairError
 */
export const openLedgerRepairHere = async (environment: NodeJS.ProcessEnv): Promise<LedgerRepair & { close(): Promise<void> }> => {
  const { db, settings, close } = await openDatabaseHere(environment);
  try {
    await goOnAsOwner(settings.ledgerDir);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...createLedgerRepair({ db, settings }), close };
};

/** Files that root writes could not be read by the portal. */
const goOnAsOwner = async (folder: string): Promise<void> => {
  if (!isRoot()) return;
  const owner = (await unlessMissing(stat(folder))) ?? (await unlessMissing(stat(dirname(folder))));
  if (owner === undefined || owner.uid === 0) return;
  try {
    process.setgroups?.([owner.gid]);
    process.setgid?.(owner.gid);
    process.setuid?.(owner.uid);
  } catch (error) {
    throw new LedgerRepairError(`run this as the user of ${folder}`, { cause: error });
  }
};
