import { sha256Hex, verificationLimits, type AnswerOf, type calls, type CheckResult, type CheckStatus } from '@pergamin/contract';
import {
  everybody,
  findDeliveredContent,
  findOwnDocument,
  findOwnDocuments,
  findPublicDocument,
  markOwnVerification,
  type OwnDocument,
} from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import { documentRowOf } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { createCheckLimits } from './check-limits.ts';
import { createCompare } from './comparing.ts';
import type { ReadAgain } from './readings.ts';

interface Parts extends Pick<DocumentsParts, 'db' | 'ledger' | 'metadata' | 'clock' | 'log'> {
  readonly readAgain: ReadAgain;
}

type ChecksumResult = AnswerOf<typeof calls.checkChecksum>;

/** Compares the stored bytes of a document, and all that is kept of it, with what was published. Throws CALL_NOT_PERMITTED over the limit, and what `Compare` throws. */
export type Checks = ReturnType<typeof createChecks>;

const notThere: CheckResult = {
  status: 'DOCUMENT_NOT_EXIST',
  checkedAt: null,
  ledger: null,
  entry: null,
  differences: [],
  notCompared: [],
};

/** A document that is registered to another owner is not described. */
const tell = (found: ChecksumResult): ChecksumResult => {
  const { status, checkedAt, compared } = found;
  if (compared?.owner !== false) return found;
  return { ...notThere, status, checkedAt, compared, document: null, storedSha256: null };
};

const createKeepOutcome =
  ({ db, clock, log }: Parts) =>
  async (caller: ClientCaller, { id, outcome }: { id: string; outcome: CheckStatus }): Promise<void> => {
    try {
      await markOwnVerification(db, caller, { id, outcome, at: clock.now() });
    } catch (error) {
      // The outcome is right, and the client waits for it.
      log.error({ err: error, documentId: id }, 'a verification could not be marked');
    }
  };

export const createChecks = (parts: Parts) => {
  const { db, metadata } = parts;
  const limits = createCheckLimits(parts);
  const compare = createCompare(parts);
  const keepOutcome = createKeepOutcome(parts);

  /** Documents with this content that the caller may be told of: their own or public, the newest first. */
  const findByContent = async (caller: ClientCaller | undefined, sha256: string): Promise<OwnDocument[]> => {
    const reader = caller ?? everybody;
    const ids = await findDeliveredContent(db, reader, { sha256, limit: verificationLimits.documentsLookedAt });
    const documents = await findOwnDocuments(db, reader, ids);
    return documents
      .filter(({ type }) => caller !== undefined || type === 'PUBLIC')
      .toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  };

  return {
    /**
     * G1, G7, G8. A document that is not the caller's is answered as one that does not exist. The outcome is kept, but not that of an opening,
     * which the client did not ask for.
     */
    async check(caller: ClientCaller, { id, isOpening }: { id: string; isOpening: boolean }): Promise<CheckResult> {
      await limits.takeOf(caller);
      const document = await findOwnDocument(db, caller, id);
      if (document === undefined) return notThere;
      const result = await compare(document, isOpening);
      if (!isOpening) await keepOutcome(caller, { id, outcome: result.status });
      return result;
    },

    /** G6. Anything but a public document does not exist for a caller without a session. */
    async checkPublic(address: string, id: string): Promise<CheckResult> {
      await limits.takeFrom(address);
      const document = await findPublicDocument(db, id);
      return document === undefined ? notThere : compare(document);
    },

    /** The same by the checksum of a file, among public documents and the caller's own. Throws INVALID_SHA256 for what is none. */
    async checkChecksum(
      { caller, address }: { caller: ClientCaller | undefined; address: string },
      written: string,
    ): Promise<ChecksumResult> {
      const sha256 = sha256Hex.safeParse(written);
      if (!sha256.success) throw new PortalError('INVALID_SHA256');
      await (caller === undefined ? limits.takeFrom(address) : limits.takeOf(caller));
      const definitions = await metadata.definitions();
      let answer: ChecksumResult = { ...notThere, compared: null, document: null, storedSha256: null };
      for (const document of await findByContent(caller, sha256.data)) {
        const { compared, bytes, ...result } = await compare(document);
        const { status } = result;
        if (caller !== undefined) await keepOutcome(caller, { id: document.id, outcome: status });
        const corrupted = compared.stored === null ? document.corrupted : !compared.stored;
        const row = { ...documentRowOf(document, definitions, caller ?? everybody), corrupted };
        const storedSha256 = bytes !== undefined && bytes !== sha256.data ? bytes : null;
        const found = tell({ ...result, compared, storedSha256, document: row });
        if (status === 'SHA_CIF_OK') return found;
        if (answer.status === 'DOCUMENT_NOT_EXIST') answer = found;
      }
      return answer;
    },
  };
};
