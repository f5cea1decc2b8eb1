import { checkLimits, openCallLimits, sha256Hex, verificationLimits, type AnswerOf, type calls, type Comparison } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { networkOf } from '#platform/http/network.ts';
import type { Log } from '#platform/log/log.ts';
import { countCall, findReading, setCorrupted } from './checks.store.ts';
import { comparisonOf, isContentRight, verdictOf } from './documents.rules.ts';
import {
  everybody,
  findDeliveredContent,
  findOwnDocument,
  findOwnDocuments,
  findPublicDocument,
  type OwnDocument,
} from './own-documents.store.ts';
import type { ReadAgain } from './readings.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly readAgain: ReadAgain;
  readonly metadata: Pick<Metadata, 'definitions'>;
  readonly clock: Clock;
  readonly log: Log;
}

type CheckResult = AnswerOf<typeof calls.checkDocument>;
type ChecksumResult = AnswerOf<typeof calls.checkChecksum>;

/** Compares the stored bytes of a document, and its owner, with what was published. Throws CALL_NOT_PERMITTED over the limit. */
export interface Checks {
  /** G1, G7, G8. A document that is not the caller's is answered as one that does not exist. */
  check(caller: ClientCaller, request: { id: string; isOpening: boolean }): Promise<CheckResult>;
  /** G6. Anything but a public document does not exist for somebody without a session. */
  checkPublic(address: string, id: string): Promise<CheckResult>;
  /** The same by the checksum of a file, among public documents and the caller's own. Throws INVALID_SHA256 for what is none. */
  checkChecksum(asker: { caller: ClientCaller | undefined; address: string }, sha256: string): Promise<ChecksumResult>;
}

/** `bytes`: SHA-256 of what is stored, undefined when it could not be read. */
type Compared = CheckResult & { readonly compared: Comparison; readonly bytes: string | undefined };

const notThere: CheckResult = { status: 'DOCUMENT_NOT_EXIST', checkedAt: null };

export const createChecks = ({ db, readAgain, metadata, clock, log }: Parts): Checks => {
  const limit = async (subject: string, perMinute: number): Promise<void> => {
    const at = clock.now();
    const counted = await countCall(db, { subject, limit: perMinute, windowMs: 60_000, at });
    if (counted.allowed) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((counted.again.getTime() - at.getTime()) / 1_000));
    throw new PortalError('CALL_NOT_PERMITTED', { message: 'Too many checks', retryAfterSeconds });
  };
  const limitClient = ({ personalId }: ClientCaller) => limit(`check:${personalId}`, checkLimits.perMinute);
  const limitNetwork = (address: string) => limit(`check of everybody:${networkOf(address)}`, openCallLimits.checksPerMinute);

  const compare = async (document: OwnDocument, isOpening: boolean): Promise<Compared> => {
    const { id } = document;
    const since = new Date(clock.now().getTime() - checkLimits.openingMayBeOldMs);
    const known = isOpening ? await findReading(db, { id, since }) : undefined;
    const reading = known ?? (await readAgain(id, document.object_key));
    const evidence = { live: document, registered: document.registered, bytes: reading.sha256, principals: document.principals };
    const status = verdictOf(evidence);
    if (reading.sha256 !== undefined) {
      const corrupted = !isContentRight(evidence);
      if (corrupted !== document.corrupted) await setCorrupted(db, { id, corrupted });
    }
    if (status !== 'SHA_CIF_OK') log.error({ alarm: 'check', documentId: id, status }, 'a document failed its check');
    const checkedAt = reading.sha256 === undefined ? null : reading.at.getTime();
    return { status, checkedAt, compared: comparisonOf(evidence), bytes: reading.sha256 };
  };

  /** What somebody may hear of: theirs or everybody's, the newest first. */
  const findByContent = async (caller: ClientCaller | undefined, sha256: string): Promise<OwnDocument[]> => {
    const reader = caller ?? everybody;
    const ids = await findDeliveredContent(db, reader, { sha256, limit: verificationLimits.documentsLookedAt });
    const documents = await findOwnDocuments(db, reader, ids);
    return documents
      .filter(({ type }) => caller !== undefined || type === 'PUBLIC')
      .toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  };

  return {
    async check(caller, { id, isOpening }) {
      await limitClient(caller);
      const document = await findOwnDocument(db, caller, id);
      return document === undefined ? notThere : compare(document, isOpening);
    },

    async checkPublic(address, id) {
      await limitNetwork(address);
      const document = await findPublicDocument(db, id);
      return document === undefined ? notThere : compare(document, false);
    },

    async checkChecksum({ caller, address }, written) {
      const sha256 = sha256Hex.safeParse(written);
      if (!sha256.success) throw new PortalError('INVALID_SHA256');
      await (caller === undefined ? limitNetwork(address) : limitClient(caller));
      const definitions = await metadata.definitions();
      let answer: ChecksumResult = { ...notThere, compared: null, document: null, storedSha256: null };
      for (const document of await findByContent(caller, sha256.data)) {
        const { status, checkedAt, compared, bytes } = await compare(document, false);
        const isDamaged = compared.stored === null ? document.corrupted : !compared.stored;
        const row = {
          id: document.id,
          state: document.state,
          metadata: definitions.toMap(document, caller ?? everybody),
          corrupted: isDamaged,
          deleted: false,
          published: true,
          read: document.read_at?.getTime() ?? null,
          downloaded: document.downloaded_at?.getTime() ?? null,
        };
        // What is registered to somebody else is not described.
        const isDescribed = compared.owner !== false;
        const storedSha256 = isDescribed && bytes !== undefined && bytes !== sha256.data ? bytes : null;
        const found = { status, checkedAt, compared, document: isDescribed ? row : null, storedSha256 };
        if (status === 'SHA_CIF_OK') return found;
        if (answer.status === 'DOCUMENT_NOT_EXIST') answer = found;
      }
      return answer;
    },
  };
};
