import type { CheckStatus, Comparison } from '@pergamin/contract';
import { ownersOf } from '#features/ledger/ledger.door.ts';
import { compareStated, principalsOf } from './differences.rules.ts';
import type { Evidence, Owner } from './evidence.store.ts';

export interface CheckedEvidence extends Evidence {
  /** SHA-256 of the stored bytes, undefined when they could not be read. */
  readonly bytes: string | undefined;
  /** Which of the asking client's principals it was delivered to. */
  readonly principals: readonly string[];
}

/** Register and ledger are two witnesses of the publication: where they differ, one of them was changed. */
export const isContentRight = ({ live, registered, stated, bytes }: Omit<CheckedEvidence, 'principals'>): boolean =>
  registered !== null &&
  bytes === registered.sha256 &&
  live.sha256 === registered.sha256 &&
  stated.publications.every(({ statement }) => bytes === statement?.sha256);

interface OwnerEvidence {
  readonly live: Owner & { readonly sha256: string };
  readonly registered: (Owner & { readonly sha256: string }) | null;
  readonly principals: readonly string[];
}

/** The right owner is the registered one, and the asker is among them (G7); a public document has none, so that its hash alone decides. */
const isOwnerRegistered = ({ live, registered, principals }: OwnerEvidence): boolean =>
  registered !== null &&
  live.cif === registered.cif &&
  live.cif2 === registered.cif2 &&
  live.group_id === registered.group_id &&
  principalsOf(registered).some((principal) => principals.includes(principal));

/** Nothing is stated to anybody else. Whether something is stated to each owner is another question: an entry may be missing. */
const isOwnerStated = ({ live, stated }: Pick<Evidence, 'live' | 'stated'>): boolean => {
  const owners = principalsOf(live);
  return stated.publications.every(
    ({ statement }) => statement !== undefined && ownersOf(statement.owner).every((owner) => owners.includes(owner)),
  );
};

export const isOwnerRight = (evidence: Omit<CheckedEvidence, 'bytes'>): boolean => isOwnerRegistered(evidence) && isOwnerStated(evidence);

/** Before any byte is read: the row agrees with the publication in content and owner (G8). */
export const isAsPublished = (evidence: OwnerEvidence): boolean =>
  evidence.live.sha256 === evidence.registered?.sha256 && isOwnerRegistered(evidence);

/**
 * SHA_CIF_NOK: both differ, something else does, or nothing can be said because there is no publication, no statement or no bytes to compare with.
 */
export const verdictOf = (evidence: CheckedEvidence): CheckStatus => {
  if (evidence.registered === null || evidence.bytes === undefined) return 'SHA_CIF_NOK';
  const [content, owner] = [isContentRight(evidence), isOwnerRight(evidence)];
  if (content && owner) return compareStated(evidence).differences.length === 0 ? 'SHA_CIF_OK' : 'SHA_CIF_NOK';
  if (content) return 'CIF_NOT_EQUAL';
  return owner ? 'SHA_NOT_EQUAL' : 'SHA_CIF_NOK';
};

/** The parts of the verdict, for callers that asked what was compared. */
export const comparisonOf = (evidence: CheckedEvidence): Comparison => {
  const { live, registered, stated, bytes } = evidence;
  const { publications } = stated;
  const isStatementRight =
    isOwnerStated(evidence) &&
    publications.every(({ statement }) => statement?.sha256 === live.sha256) &&
    compareStated(evidence).differences.length === 0;
  return {
    stored: registered === null || bytes === undefined ? null : isContentRight(evidence),
    owner: registered === null ? null : isOwnerRight(evidence),
    entry: publications.length === 0 ? null : isStatementRight,
  };
};
