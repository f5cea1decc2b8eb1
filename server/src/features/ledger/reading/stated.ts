import { MalformedError, parseStatement, type Statement, type StatementEvent } from '@pergamin/ledger';
import type { LedgerFact } from '#features/ledger/statements.rules.ts';

/** Of the entries about one document, but notices: as the database has them. */
export interface StatedRow {
  readonly entries: readonly {
    readonly index: number;
    readonly event: StatementEvent | null;
    /** In hexadecimal. */
    readonly commitment: string;
    readonly statement: string | null;
    /** When the first checkpoint that covers it was published, in epoch milliseconds: at the latest when the entry behind that checkpoint was made. */
    readonly coveredAt: number;
  }[];
  readonly pending: readonly Pick<LedgerFact, 'event' | 'metadata' | 'state'>[];
}

/** A part of statements about a document: one value of the shape of `StatedRow`. Entries are those that a published checkpoint covers. */
export const statedOf = (documentId: string): string => `json_build_object(
  'entries', (
    select coalesce(json_agg(json_build_object(
      'index', said.index, 'event', said.event, 'commitment', encode(said.commitment, 'hex'), 'statement', encode(said.statement, 'hex'),
      'coveredAt', (extract(epoch from least(covering.at, (select at from ledger_entry next where next.index = covering.size))) * 1000)::float8
    ) order by said.index), '[]')
    from ledger_entry said cross join lateral (
      select size, at from ledger_checkpoint where size > said.index order by size limit 1
    ) covering
    where said.document_id = ${documentId} and said.event <> 'NOTIFIED'
  ),
  'pending', (
    select coalesce(json_agg(json_build_object('event', waiting.event, 'metadata', waiting.metadata, 'state', waiting.state) order by waiting.id), '[]')
    from ledger_pending waiting where waiting.document_id = ${documentId} and waiting.event <> 'NOTIFIED'
  ))`;

/** One entry, with what it says. */
export interface Said {
  readonly index: number;
  readonly commitment: Buffer;
  readonly bytes: Buffer | null;
  /** Undefined when it is gone, or cannot be read. */
  readonly statement: Statement | undefined;
  readonly coveredAt: number;
}

/** What the ledger says of one document. */
export interface Stated {
  /** Those that publish it, in the order of the log: one for each of its owners, of before one for both. */
  readonly publications: readonly Said[];
  /** Those whose rows call them publications of it, and whose statements are about other documents. */
  readonly foreign: readonly Said[];
  /** The last one of all. */
  readonly last: Said | undefined;
  /** The last one that extends its retention. */
  readonly extension: Said | undefined;
  /** What waits to be entered, or to be covered. */
  readonly pending: StatedRow['pending'];
}

export const nothingStated: Stated = { publications: [], foreign: [], last: undefined, extension: undefined, pending: [] };

export const findStatement = (bytes: Buffer | null): Statement | undefined => {
  if (bytes === null) return undefined;
  try {
    return parseStatement(bytes);
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
};

/** A statement about another document is none about this one, whatever its row says. */
export const readStated = (documentId: string, { entries, pending }: StatedRow): Stated => {
  const all = entries.map(({ index, event, commitment, statement, coveredAt }) => {
    const bytes = statement === null ? null : Buffer.from(statement, 'hex');
    const read = findStatement(bytes);
    const entry: Said = { index, commitment: Buffer.from(commitment, 'hex'), bytes, statement: read, coveredAt };
    return { ...entry, event: read?.event ?? event };
  });
  const isOther = ({ statement }: Said): boolean => statement !== undefined && statement.documentId !== documentId;
  const said = all.filter((entry) => !isOther(entry));
  return {
    publications: said.filter(({ event }) => event === 'PUBLISHED'),
    foreign: all.filter((entry) => isOther(entry) && entry.event === 'PUBLISHED'),
    last: said.at(-1),
    extension: said.findLast(({ event }) => event === 'RETENTION_EXTENDED'),
    pending,
  };
};
