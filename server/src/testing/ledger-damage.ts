import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parsePolicy, type ReceiptVerdict, tilePath, verifyReceipt } from '@pergamin/ledger';
import { sql } from 'kysely';
import type { TestPortal } from './test-portal.ts';

type Statement = ReturnType<typeof sql>;

/** What the operator of the database server can do: change rows that are kept, past the triggers. */
export const changePastTriggers = (portal: TestPortal, ...statements: readonly Statement[]): Promise<void> =>
  portal.owner.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    for (const statement of statements) await statement.execute(trx);
  });

/** Another byte in the middle of a file. */
const damageFile = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await chmod(path, 0o600);
  await writeFile(path, bytes);
};

export const damageObject = async (portal: TestPortal, id: string): Promise<void> => {
  const { object_key: key } = await portal.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
  await damageFile(join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key));
};

/** The first tile of hashes, of a log that has fewer than 256 entries. */
const pathOfFirstTile = async (portal: TestPortal): Promise<string> => {
  const { size } = (await portal.anonymous.call('getLedger', {})).body;
  return join(portal.settings.ledgerDir, tilePath({ level: 0, index: 0, width: size }));
};

/** Gives back what was there. */
export const damageFirstTile = async (portal: TestPortal): Promise<() => Promise<void>> => {
  const path = await pathOfFirstTile(portal);
  const kept = await readFile(path);
  // Each leaf is in the proof of the others, but for its own.
  await writeFile(
    path,
    kept.map((byte) => byte ^ 1),
  );
  return () => writeFile(path, kept);
};

/** As somebody verifies it who trusts the policy alone. */
export const verifyByPolicy = async (
  portal: TestPortal,
  { receipt, sha256 }: { readonly receipt: Uint8Array; readonly sha256: string },
): Promise<ReceiptVerdict> => {
  const { policy } = (await portal.anonymous.call('getLedger', {})).body;
  return verifyReceipt(receipt, { sha256, policy: parsePolicy(policy) });
};
