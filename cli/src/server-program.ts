import { fileURLToPath } from 'node:url';

/* The portal's own programs, where the portal is installed beside this command; they are run, never imported. */

export const auditPath = fileURLToPath(new URL('../../server/src/audit.ts', import.meta.url));
export const compareCheckpointPath = fileURLToPath(new URL('../../server/src/compare-checkpoint.ts', import.meta.url));
export const backupPath = fileURLToPath(new URL('../../server/src/backup.ts', import.meta.url));
export const relocatePath = fileURLToPath(new URL('../../server/src/relocate.ts', import.meta.url));
export const printSettingsPath = fileURLToPath(new URL('../../server/src/print-settings.ts', import.meta.url));
export const abandonedDatabasesPath = fileURLToPath(new URL('../../server/src/abandoned-databases.ts', import.meta.url));
export const publisherKeysPath = fileURLToPath(new URL('../../server/src/publisher-keys.ts', import.meta.url));
export const encryptionKeysPath = fileURLToPath(new URL('../../server/src/encryption-keys.ts', import.meta.url));
export const ledgerRepairPath = fileURLToPath(new URL('../../server/src/ledger-repair.ts', import.meta.url));
export const removeDemoPath = fileURLToPath(new URL('../../server/src/remove-demo.ts', import.meta.url));
export const statusPath = fileURLToPath(new URL('../../server/src/status.ts', import.meta.url));
