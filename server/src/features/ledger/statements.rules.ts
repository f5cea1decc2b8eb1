import { hash, randomBytes } from 'node:crypto';
import {
  commitmentOf,
  entryOf,
  formatStatement,
  noHash,
  type Sha256,
  type StatementEvent,
  type StatementState,
  type StatementType,
} from '@pergamin/ledger';

export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

/** What happened to a document, for the ledger. Hashes are SHA-256 in lower-case hexadecimal. */
export interface LedgerFact {
  readonly documentId: string;
  readonly event: StatementEvent;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  /** Principals like `cif:7001`, with a newline between two; empty of what was forgotten. */
  readonly owner: string;
  readonly type: StatementType;
  readonly state: StatementState;
  /** What the metadata hash to. */
  readonly metadata: string;
  /** The publication's own moment, when one was asked for. */
  readonly moment?: Date | null;
}

/** SHA-256 of a line NAME=VALUE for each value, as JSON, in the order of the names; as `ledger_metadata` of the schema has it. */
export const hashOfMetadata = (values: Readonly<Record<string, string | number>>): string => {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return hash('sha256', lines.sort().join('\n'));
};

/**
 * What a publication says of its document's metadata: the lines that `ledger_lines` of the schema gives, the moment that was asked for (epoch
 * milliseconds) and the last day of the retention as it was then, `null` where there is none. Statements of before hash the lines alone.
 */
export const hashOfPublication = ({
  lines,
  moment,
  retentionDate,
}: {
  readonly lines: string;
  readonly moment: number | null;
  readonly retentionDate: string | null;
}): string => hash('sha256', `${lines}\npublishedAt=${JSON.stringify(moment)}\nretentionDate=${JSON.stringify(retentionDate)}`);

/** As `ledger_metadata` of the schema has it: of every statement but a publication, and of publications of before. */
export const hashOfLines = (lines: string): string => hash('sha256', lines);

/** Principals of a statement's owner, each by itself. */
export const ownersOf = (owner: string): string[] => owner.split('\n');

/** A fact that waits for its place. `previous`: the commitment of the document's last statement in the log. */
export interface PendingFact extends LedgerFact {
  readonly id: number;
  readonly previous: Uint8Array | null;
}

export interface FormedEntry {
  readonly pendingId: number;
  readonly index: number;
  readonly fact: LedgerFact;
  readonly commitment: Uint8Array;
  readonly statement: Uint8Array;
  readonly isPublic: boolean;
  /** As the log has it. */
  readonly bytes: Uint8Array;
}

/** A publication is stated to each of its owners by itself, so that the receipt of one does not name the other. */
const statedFacts = (fact: PendingFact): PendingFact[] =>
  fact.event === 'PUBLISHED' ? ownersOf(fact.owner).map((owner) => ({ ...fact, owner })) : [fact];

/** Their statements, in their order, at consecutive places from `first`; each names the document's one before it. */
export const formEntries = (
  facts: readonly PendingFact[],
  { first, atEpochMs }: { readonly first: number; readonly atEpochMs: number },
): FormedEntry[] => {
  const latest = new Map<string, Uint8Array>();
  return facts.flatMap(statedFacts).map((fact, nth) => {
    const isPublic = fact.type === 'PUBLIC';
    const previous = latest.get(fact.documentId) ?? fact.previous;
    const statement = formatStatement({
      ...fact,
      time: atEpochMs,
      previous: previous === null ? noHash : Buffer.from(previous).toString('hex'),
      salt: isPublic ? noHash : randomBytes(32).toString('hex'),
    });
    const commitment = commitmentOf(statement, sha256);
    latest.set(fact.documentId, commitment);
    return {
      pendingId: fact.id,
      index: first + nth,
      fact,
      commitment,
      statement,
      isPublic,
      bytes: entryOf(statement, { isPublic }, sha256),
    };
  });
};
