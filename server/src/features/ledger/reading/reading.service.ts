import type { LedgerPlace } from '@pergamin/contract';
import { formatReceipt, type Hash, proveConsistency, type ReadTile, type Statement, type StatementEvent } from '@pergamin/ledger';
import { ownersOf, sha256 } from '#features/ledger/statements.rules.ts';
import type { Db } from '#platform/database/schema.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import { createProofs } from './proofs.ts';
import { createPublishedTree, type PublishedTree } from './published-tree.ts';
import { listEntries, listPublications } from './reading.store.ts';
import { createRefusals } from './refusals.ts';
import { findStatement, type Said, type Stated } from './stated.ts';

interface Parts {
  readonly db: Db;
  readonly readTile: ReadTile;
  /** Why nothing is entered now; undefined while all is well. */
  readonly halted: () => string | undefined;
  readonly log: Log;
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

    /**
     * That the log holds what was published to one of these principals, and with `all` what changed it since: the tiles are read again. Null when
     * nothing is stated to them, or its statement was forgotten. Throws BC_ERROR when tiles, entry and published checkpoint do not agree, and while
     * the ledger is halted; DUPLICATE_BC when the document is published to one of its owners more than once.
     */
    async prove(
      stated: Stated,
      { principals, all }: { readonly principals: readonly string[]; readonly all: boolean },
    ): Promise<LedgerPlace | null> {
      const [one, other] = findRepeated(stated);
      if (one !== undefined && other !== undefined)
        throw refusals.refuseDuplicate(`the entries ${one.index} and ${other.index} publish one document`);
      const own = findOwn(stated.publications, principals) ?? stated.publications.find(isUnreadable);
      if (own === undefined || own.bytes === null) return null;
      const { tree } = await prove(entryOf(own));
      if (all)
        for (const entry of new Set([stated.last, stated.extension]))
          // oxlint-disable-next-line no-await-in-loop -- Two at most.
          if (entry !== undefined && entry.index !== own.index && entry.bytes !== null) await prove(entryOf(entry));
      return { index: own.index, size: tree.size, cosignedBy: tree.cosignatures.length };
    },

    receiptOf: createReceipts({ db, prove }),

    /** Of one document, in their order. */
    async entriesOf(documentId: string): Promise<
      readonly (Partial<Pick<Statement, 'state' | 'metadata'>> & {
        readonly index: number;
        readonly event: StatementEvent | null;
        /** To whom it is stated. */
        readonly owners: readonly string[];
      })[]
    > {
      const entries = await listEntries(db, documentId);
      return entries.map(({ index, event, statement: bytes }) => {
        const statement = findStatement(bytes);
        if (statement === undefined) return { index, event, owners: [] };
        const { state, metadata, owner } = statement;
        return { index, event, state, metadata, owners: ownersOf(owner) };
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

/**
 * C2SP tlog-proof of what was published to one of these principals, the first one before the others, or was received from it. Throws NOT_FOUND_BC for what
 * is not entered or was forgotten, BC_ERROR for what cannot be proved.
 */
const createReceipts =
  ({ db, prove }: Pick<Parts, 'db'> & Pick<ReturnType<typeof createProofs>, 'prove'>) =>
  async (documentId: string, principals: readonly string[]): Promise<string> => {
    const said = (await listPublications(db, documentId))
      .map((entry) => ({ ...entry, statement: findStatement(entry.statement), bytes: entry.statement }))
      .filter(({ statement }) => statement === undefined || statement.documentId === documentId);
    const entry = findOwn(said, principals) ?? said.find(isUnreadable);
    if (entry === undefined) throw new PortalError('NOT_FOUND_BC');
    const { tree, proof, statement } = await prove(entryOf(entry), { covering: entry.index });
    return formatReceipt({ extra: statement, index: entry.index, proof, checkpoint: tree.checkpoint });
  };

/** What is stated to the first of these principals that anything is stated to. */
const findOwn = <Entry extends Pick<Said, 'statement'>>(entries: readonly Entry[], principals: readonly string[]): Entry | undefined => {
  for (const principal of principals) {
    const own = entries.find(({ statement }) => statement !== undefined && ownersOf(statement.owner).includes(principal));
    if (own !== undefined) return own;
  }
  return undefined;
};

/** There is one, and it may be anybody's; its proof fails. */
const isUnreadable = ({ statement }: Pick<Said, 'statement'>): boolean => statement === undefined;

/** Two that publish a document to one owner, or of which one is about another document. */
const findRepeated = ({ publications, foreign }: Stated): readonly Said[] => {
  const [first] = publications;
  const [another] = foreign;
  if (first !== undefined && another !== undefined) return [first, another];
  const known = new Map<string, Said>();
  for (const entry of publications)
    for (const owner of entry.statement === undefined ? [] : ownersOf(entry.statement.owner)) {
      const before = known.get(owner);
      if (before !== undefined) return [before, entry];
      known.set(owner, entry);
    }
  return [];
};

const entryOf = ({ index, commitment, bytes: statement }: Pick<Said, 'index' | 'commitment' | 'bytes'>) => ({
  index,
  commitment,
  statement,
});
