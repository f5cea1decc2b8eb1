import { createPublicKey, verify } from 'node:crypto';
import type { LedgerPlace } from '@pergamin/contract';
import {
  type Checkpoint,
  checkpointText,
  commitmentOf,
  entryOf,
  formatReceipt,
  type Hash,
  leafHash,
  MalformedError,
  parseCheckpoint,
  parseSignatures,
  parseStatement,
  parseVerifierKey,
  proveConsistency,
  proveInclusion,
  type ReadTile,
  signaturesBy,
  type Statement,
  type StatementEvent,
  verifyInclusion,
} from '@pergamin/ledger';
import type { Db } from '#platform/database/schema.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import { findLog } from '#features/ledger/ledger.store.ts';
import { sha256 } from '#features/ledger/statements.rules.ts';
import { type EntryRow, findLatestCheckpoint, findPublication, listEntries } from './reading.store.ts';

interface Parts {
  readonly db: Db;
  readonly readTile: ReadTile;
  /** Why nothing is entered now; undefined while all is well. */
  readonly halted: () => string | undefined;
  readonly log: Log;
}

/** The newest published tree, its checkpoint as it is handed out: with the cosignatures that have come for it. */
export interface PublishedTree {
  readonly origin: string;
  readonly verifierKey: string;
  readonly size: number;
  readonly root: Hash;
  readonly at: Date;
  readonly checkpoint: Checkpoint;
  readonly text: string;
  readonly cosignatures: readonly { readonly witness: string; readonly at: number }[];
}

/** What the ledger says of a publication. */
export interface Registered {
  /** Undefined when the entry is there and its statement is not, or cannot be read. */
  readonly statement: Statement | undefined;
  /**
   * Reads the tiles again; null when the statement was forgotten. Throws BC_ERROR when tiles, entry and published checkpoint do not agree, and
   * while the ledger is halted.
   */
  prove(): Promise<LedgerPlace | null>;
}

/** What the ledger holds, for everyone who asks. Nothing here writes. */
export type LedgerReading = ReturnType<typeof createLedgerReading>;

export const createLedgerReading = ({ db, readTile, halted, log }: Parts) => {
  let verified: { readonly note: string; readonly checkpoint: Checkpoint } | undefined;

  const refuse = (what: string, cause?: unknown): PortalError => {
    log.error({ alarm: 'ledger', err: cause }, what);
    return new PortalError('BC_ERROR', { cause: new Error(what, { cause }) });
  };

  /** What it runs into is a register that cannot be used. */
  const orRefused = async <Result>(what: string, act: () => Promise<Result> | Result): Promise<Result> => {
    try {
      return await act();
    } catch (error) {
      throw error instanceof PortalError ? error : refuse(what, error);
    }
  };

  const verifyCheckpoint = (note: string, verifierKey: string): Checkpoint => {
    if (verified?.note === note) return verified.checkpoint;
    const checkpoint = parseCheckpoint(note);
    if (!isSignedByLog(checkpoint, verifierKey)) throw refuse('the published checkpoint is not signed by the key of the ledger');
    verified = { note, checkpoint };
    return checkpoint;
  };

  /** Undefined while nothing was ever published. */
  const findTree = async (): Promise<PublishedTree | undefined> => {
    const [row, known] = await Promise.all([findLatestCheckpoint(db), findLog(db)]);
    if (row === undefined || known === undefined) return undefined;
    return orRefused('the published checkpoint cannot be read', () => {
      const { origin, verifierKey } = known;
      const { size, root, at } = row;
      const checkpoint = verifyCheckpoint(row.note, verifierKey);
      if (checkpoint.note.text !== checkpointText({ origin, size, root })) throw refuse('the published checkpoint is that of another tree');
      const lines = row.cosignatures.map(({ line }) => `${line.trimEnd()}\n`).join('');
      const signatures = [...checkpoint.note.signatures, ...parseSignatures(lines)];
      return {
        origin,
        verifierKey,
        size,
        root,
        at,
        checkpoint: { ...checkpoint, note: { ...checkpoint.note, signatures } },
        text: `${row.note}${lines}`,
        cosignatures: row.cosignatures.map(({ witness, at: cosignedAt }) => ({ witness, at: Date.parse(cosignedAt) })),
      };
    });
  };

  const getTree = async (): Promise<PublishedTree> => {
    const tree = await findTree();
    if (tree === undefined) throw new PortalError('NOT_FOUND_BC');
    return tree;
  };

  const proofOf = async ({ index, commitment, statement }: EntryRow & { statement: Buffer }, { size, root }: PublishedTree) =>
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

  const prove = async (entry: EntryRow): Promise<{ readonly tree: PublishedTree; readonly proof: readonly Hash[]; statement: Buffer }> => {
    assertRunning();
    const { statement } = entry;
    if (statement === null) throw new PortalError('NOT_FOUND_BC');
    const tree = await getTree();
    return { tree, proof: await proofOf({ ...entry, statement }, tree), statement };
  };

  return {
    findTree,
    getTree,

    /** Undefined for what is not entered, or not covered by a published checkpoint. */
    async findRegistered(documentId: string): Promise<Registered | undefined> {
      const entry = await findPublication(db, documentId);
      if (entry === undefined) return undefined;
      const { index, statement } = entry;
      return {
        statement: findStatement(statement),
        async prove() {
          if (statement === null) return null;
          const { tree } = await prove(entry);
          return { index, size: tree.size, cosignedBy: tree.cosignatures.length };
        },
      };
    },

    /** C2SP tlog-proof. Throws NOT_FOUND_BC for what is not entered or was forgotten, BC_ERROR for what cannot be proved. */
    async receiptOf(documentId: string): Promise<string> {
      const entry = await findPublication(db, documentId);
      if (entry === undefined) throw new PortalError('NOT_FOUND_BC');
      const { tree, proof, statement } = await prove(entry);
      return formatReceipt({ extra: statement, index: entry.index, proof, checkpoint: tree.checkpoint });
    },

    /** Of one document, in their order. */
    async entriesOf(
      documentId: string,
    ): Promise<readonly { readonly index: number; event: StatementEvent | null; state: Statement['state'] | undefined }[]> {
      const entries = await listEntries(db, documentId);
      return entries.map(({ index, event, statement }) => ({ index, event, state: findStatement(statement)?.state }));
    },

    /** That the latest tree continues the one of `from` entries. Throws VALIDATION_ERROR for more entries than there are. */
    async consistencyFrom(from: number): Promise<{ readonly tree: PublishedTree; readonly proof: readonly Hash[] }> {
      const tree = await getTree();
      const { size } = tree;
      if (from > size) throw invalidField('from', `more than the ${size} entries that there are`);
      return { tree, proof: await orRefused('consistency cannot be proved', () => proveConsistency(from, size, readTile, sha256)) };
    },
  };
};

const spkiOfEd25519 = Buffer.from('302a300506032b6570032100', 'hex');

/** By the platform's own Ed25519, as an opening of a document waits for it after every new checkpoint. */
const isSignedByLog = (checkpoint: Checkpoint, verifierKey: string): boolean => {
  const key = parseVerifierKey(verifierKey);
  const publicKey = createPublicKey({ key: Buffer.concat([spkiOfEd25519, key.publicKey]), format: 'der', type: 'spki' });
  const signatures = signaturesBy(checkpoint.note, key);
  const message = Buffer.from(checkpoint.note.text);
  return signatures.length > 0 && signatures.every(({ signature }) => verify(null, message, publicKey, signature));
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
