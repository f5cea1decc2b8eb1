import {
  commitmentOf,
  entryOf,
  type Hash,
  leafHash,
  parseStatement,
  proveInclusion,
  type ReadTile,
  verifyInclusion,
} from '@pergamin/ledger';
import { sha256 } from '#features/ledger/statements.rules.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { FindTree, PublishedTree } from './published-tree.ts';
import type { EntryRow } from './reading.store.ts';
import type { Refusals } from './refusals.ts';

/** What a proof is made of. */
type Provable = Pick<EntryRow, 'index' | 'commitment' | 'statement'>;

interface Parts {
  readonly findTree: FindTree;
  readonly readTile: ReadTile;
  readonly halted: () => string | undefined;
  readonly refusals: Pick<Refusals, 'orRefused'>;
}

/** Proofs of entries by tiles that are read anew, verified before they are handed out. */
export const createProofs = ({ findTree, readTile, halted, refusals: { orRefused } }: Parts) => {
  /** Throws NOT_FOUND_BC while nothing was ever published. */
  const getTree: (options?: Parameters<FindTree>[0]) => Promise<PublishedTree> = async (options) => {
    const tree = await findTree(options);
    if (tree === undefined) throw new PortalError('NOT_FOUND_BC');
    return tree;
  };

  const proofOf = async ({ index, commitment, statement }: Provable & { statement: Buffer }, { size, root }: PublishedTree) =>
    orRefused(`the entry ${index} of the ledger cannot be proved`, async () => {
      if (!commitment.equals(commitmentOf(statement, sha256))) throw new Error('the statement is not the one that was entered');
      const proof = await proveInclusion(index, size, readTile, sha256);
      const { type } = parseStatement(statement);
      const leaf = leafHash(entryOf(statement, { isPublic: type === 'PUBLIC' }, sha256), sha256);
      if (!verifyInclusion({ index, size, leaf, root, proof })) throw new Error('the tiles do not lead from the entry to the checkpoint');
      return proof;
    });

  const assertRunning = (): void => {
    const reason = halted();
    if (reason !== undefined) throw new PortalError('BC_ERROR', { cause: new Error(`the ledger is halted: ${reason}`) });
  };

  const prove = async (
    entry: Provable,
    options?: Parameters<FindTree>[0],
  ): Promise<{ readonly tree: PublishedTree; readonly proof: readonly Hash[]; statement: Buffer }> => {
    assertRunning();
    const { statement } = entry;
    if (statement === null) throw new PortalError('NOT_FOUND_BC');
    const tree = await getTree(options);
    return { tree, proof: await proofOf({ ...entry, statement }, tree), statement };
  };

  return { getTree, prove };
};
