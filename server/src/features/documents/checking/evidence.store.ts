import { sql } from 'kysely';
import { deliveriesOf } from '#features/deliveries/deliveries.door.ts';
import { readStated, type Stated, statedOf, type StatedRow } from '#features/ledger/ledger.door.ts';
import type { Db } from '#platform/database/schema.ts';
import type { DocumentState } from '@pergamin/contract';

export interface Owner {
  readonly cif: string | null;
  readonly cif2: string | null;
  readonly group_id: string | null;
}

/** The document as its row is now. */
export interface LiveRow extends Owner {
  readonly sha256: string;
  readonly size: number;
  readonly type: 'PUBLIC' | 'PRIVATE' | 'GROUP';
  readonly kind: string;
  readonly state: DocumentState;
  /** It has left the lists, cancelled before anybody had opened it. */
  readonly isWithdrawn: boolean;
  readonly retentionDate: string | null;
  /** Epoch milliseconds. */
  readonly publishedAt: number | null;
  /** Its metadata, as `ledger_lines` of the schema gives them. */
  readonly lines: string;
}

/** The document as it was published. */
export interface RegisteredRow extends Owner {
  readonly sha256: string;
  readonly size: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** As its statement names it; null also of those of before. */
  readonly retentionDate: string | null;
}

export interface Delivered {
  readonly principal: string;
  readonly kind: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly isOnItsDay: boolean;
}

export interface Evidence {
  readonly live: LiveRow;
  /** Null when the register lost it. */
  readonly registered: RegisteredRow | null;
  readonly deliveries: readonly Delivered[];
  readonly stated: Stated;
}

interface EvidenceRow extends Omit<LiveRow, 'publishedAt'>, Pick<Evidence, 'registered' | 'deliveries'> {
  readonly publishedAt: number | null;
  readonly stated: StatedRow;
}

const epochMs = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::float8`);

/**
 * All that is kept of a document but its bytes, as it was at one moment: the row, the register, the deliveries and the ledger are read by one statement, so
 * that a change that happens meanwhile is in all of them or in none. Undefined for an unknown id.
 */
export const findEvidence = async (db: Db, id: string): Promise<Evidence | undefined> => {
  const { rows } = await sql<EvidenceRow>`
    select document.cif, document.cif2, document.group_id, document.sha256, document.size, document.type, document.kind, document.state,
      document.withdrawn_at is not null as "isWithdrawn",
      document.retention_date as "retentionDate", ${epochMs('document.published_at')} as "publishedAt", ledger_lines(document) as lines,
      case when publication.document_id is not null then json_build_object(
        'sha256', publication.sha256, 'size', publication.size, 'at', ${epochMs('publication.at')},
        'retentionDate', publication.retention_date, 'cif', publication.cif, 'cif2', publication.cif2, 'group_id', publication.group_id
      ) end as registered,
      ${sql.raw(deliveriesOf('document'))} as deliveries,
      ${sql.raw(statedOf('document.id'))} as stated
    from document left join publication on publication.document_id = document.id
    where document.id = ${id}::uuid`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { registered, deliveries, stated, ...live } = row;
  return { live, registered, deliveries, stated: readStated(id, stated) };
};
