import { sql } from 'kysely';
import { hashOfMetadata, hashOfPublication, type LedgerFact } from '#features/ledger/ledger.door.ts';
import type { DocumentKind, Trx } from '#platform/database/schema.ts';

/** What the ledger says of these documents as they are now, in the order of the ids. */
export const listFacts = async (trx: Trx, ids: readonly string[]): Promise<Omit<LedgerFact, 'event'>[]> => {
  const { rows } = await sql<Omit<LedgerFact, 'event'>>`
    select document.id as "documentId", sha256, size, ledger_owner(document) as owner, type, state, ledger_metadata(document) as metadata
    from unnest(${ids}::uuid[]) with ordinality as asked (id, nth) join document on document.id = asked.id order by nth`.execute(trx);
  return rows;
};

interface Publication {
  /** That was asked for. */
  readonly moment?: Date | null;
  /** The earliest end of the retention of each class; a later one stays. */
  readonly keptUntil: Readonly<Partial<Record<DocumentKind, string>>>;
}

interface Draft extends Omit<LedgerFact, 'event' | 'metadata'> {
  readonly lines: string;
  readonly retentionDate: string | null;
}

/** That these drafts are published, in the order of the ids. Their retention is settled here, since the statement names it. */
export const listPublicationFacts = async (
  trx: Trx,
  ids: readonly string[],
  { moment = null, keptUntil }: Publication,
): Promise<LedgerFact[]> => {
  const until = sql`greatest(retention_date, (${JSON.stringify(keptUntil)}::jsonb ->> kind)::date)`;
  if (Object.keys(keptUntil).length > 0)
    await sql`
      update document set retention_date = ${until}
      where id = any(${ids}::uuid[]) and published_at is null and retention_date is distinct from ${until}`.execute(trx);
  const { rows } = await sql<Draft>`
    select document.id as "documentId", sha256, size, ledger_owner(document) as owner, type, state, ledger_lines(document) as lines,
      retention_date as "retentionDate"
    from unnest(${ids}::uuid[]) with ordinality as asked (id, nth) join document on document.id = asked.id order by nth`.execute(trx);
  return rows.map(({ lines, retentionDate, ...fact }) => ({
    ...fact,
    event: 'PUBLISHED',
    moment,
    metadata: hashOfPublication({ lines, retentionDate, moment: moment?.getTime() ?? null }),
  }));
};

/** That the retention of these documents ends on the day that they have now. */
export const listRetentionFacts = async (trx: Trx, ids: readonly string[]): Promise<LedgerFact[]> => {
  const rows = await trx
    .selectFrom('document')
    .select(['id', 'retention_date'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const days = new Map(rows.map((row) => [row.id, row.retention_date]));
  return (await listFacts(trx, ids)).map((fact) => ({
    ...fact,
    event: 'RETENTION_EXTENDED',
    metadata: hashOfMetadata({ retentionDate: days.get(fact.documentId) ?? '' }),
  }));
};
