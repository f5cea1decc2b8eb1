import type { AnswerOf, calls, KeptDocument, LifeEntry } from '@pergamin/contract';
import type { Db } from '#platform/database/schema.ts';
import { getKept, type KeptRow, listChanges } from './life.store.ts';

/** A document and every change since its publication. Throws DOCUMENT_NOT_FOUND_ERROR for an unknown id. */
export const readLife = async (db: Db, id: string): Promise<AnswerOf<typeof calls.getDocumentLife>> => {
  const row = await getKept(db, id);
  const changes = await listChanges(db, id);
  const publication: LifeEntry = {
    event: 'PUBLISHED',
    at: publishedAtOf(row),
    before: null,
    after: null,
    keyId: row.publisher_key_id,
    keyName: row.published_by,
    reason: null,
  };
  return { document: keptOf(row), items: [publication, ...changes.map(entryOf)] };
};

const publishedAtOf = ({ registered_at: registeredAt, published_at: publishedAt }: KeptRow): number =>
  (registeredAt ?? publishedAt).getTime();

const dayOnWire = (day: string | null): KeptDocument['retentionDate'] => (day === 'infinity' ? -1 : day);

export const keptOf = (row: KeptRow): KeptDocument => ({
  id: row.id,
  state: row.state,
  sha256: row.state === 'FORGOTTEN' ? null : row.sha256,
  publishedAt: publishedAtOf(row),
  retentionDate: dayOnWire(row.retention_date),
  legalHold: row.legal_hold,
  removedAt: row.removed_at?.getTime() ?? null,
  lockedUntil: row.locked_until?.getTime() ?? null,
});

const entryOf = (change: Awaited<ReturnType<typeof listChanges>>[number]): LifeEntry => {
  const { event } = change;
  const ofState = event === 'STATE_CHANGED' ? { before: change.state_before, after: change.state } : { before: null, after: null };
  const around =
    event === 'RETENTION_EXTENDED' ? { before: dayOnWire(change.retention_before), after: dayOnWire(change.retention) } : ofState;
  return { event, at: change.at.getTime(), ...around, keyId: change.key_id, keyName: change.key_name, reason: change.reason };
};
