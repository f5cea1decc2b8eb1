import type { LedgerPlace } from '@pergamin/contract';
import {
  formatReceipt,
  type Hash,
  MalformedError,
  parseStatement,
  proveConsistency,
  type ReadTile,
  type Statement,
  type StatementEvent,
} from '@pergamin/ledger';
import { sha256 } from '#features/ledger/statements.rules.ts';
import type { Db } from '#platform/database/schema.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import { createProofs } from './proofs.ts';
import { createPublishedTree, type PublishedTree } from './published-tree.ts';
import { listEntries, listPublications } from './reading.store.ts';
import { createRefusals } from './refusals.ts';

interface Parts {
  readonly db: Db;
  readonly readTile: ReadTile;
  /** Why nothing is entered now; undefined while all is well. */
  readonly halted: () => string | undefined;
  readonly log: Log;
}

/** What the ledger says of a publication. */
export interface Registered {
  /** Undefined when the entry is there and its statement is not, or cannot be read. */
  readonly statement: Statement | undefined;
  /**
   * Reads the tiles again; null when the statement was forgotten. Throws BC_ERROR when tiles, entry and published checkpoint do not agree, and
   * while the ledger is halted; DUPLICATE_BC when the publication is entered more than once.
   */
  prove(): Promise<LedgerPlace | null>;
}

/** What the ledger holds, for everyone who asks. Nothing here writes. */
export type LedgerReading = ReturnType<typeof createLedgerReading>;

export const createLedgerReading = ({ db, readTile, halted, log }: Parts) => {
  const refusals = createRefusals(log);
  const findTree = createPublishedTree({ db, refusals });
  const { getTree, prove } = createProofs({ findTree, readTile, halted, refusals });

  return {
    findTree,
    getTree,

    /** Undefined for what is not entered, or not covered by a published checkpoint. */
    async findRegistered(documentId: string): Promise<Registered | undefined> {
      const [entry, again] = await listPublications(db, documentId);
      if (entry === undefined) return undefined;
      const { index, statement } = entry;
      return {
        statement: findStatement(statement),
        async prove() {
          if (again !== undefined) throw refusals.refuseDuplicate(`the entries ${index} and ${again.index} publish one document`);
          if (statement === null) return null;
          const { tree } = await prove(entry);
          return { index, size: tree.size, cosignedBy: tree.cosignatures.length };
        },
      };
    },

    /** C2SP tlog-proof. Throws NOT_FOUND_BC for what is not entered or was forgotten, BC_ERROR for what cannot be proved. */
    async receiptOf(documentId: string): Promise<string> {
      const [entry] = await listPublications(db, documentId);
      if (entry === undefined) throw new PortalError('NOT_FOUND_BC');
      const { tree, proof, statement } = await prove(entry, { covering: entry.index });
      return formatReceipt({ extra: statement, index: entry.index, proof, checkpoint: tree.checkpoint });
    },

    /** Of one document, in their order. */
    async entriesOf(
      documentId: string,
    ): Promise<
      readonly (Partial<Pick<Statement, 'state' | 'metadata'>> & { readonly index: number; readonly event: StatementEvent | null })[]
    > {
      const entries = await listEntries(db, documentId);
      return entries.map(({ index, event, statement: bytes }) => {
        const statement = findStatement(bytes);
        return { index, event, ...(statement === undefined ? {} : { state: statement.state, metadata: statement.metadata }) };
      });
    },

    /** That the latest tree continues the one of `from` entries. Throws VALIDATION_ERROR for more entries than there are. */
    async consistencyFrom(from: number): Promise<{ readonly tree: PublishedTree; readonly proof: readonly Hash[] }> {
      const tree = await getTree();
      const { size } = tree;
      if (from > size) throw invalidField('from', `more than the ${size} entries that there are`);
      return {
        tree,
        proof: await refusals.orRefused('consistency cannot be proved', () => proveConsistency(from, size, readTile, sha256)),
      };
    },
  };
};

const findStatement = (bytes: Buffer | null): Statement | undefined => {
  if (bytes === null) return undefined;
  try {
    return parseStatement(bytes);
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
};
