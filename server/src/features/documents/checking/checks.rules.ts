import type { CheckStatus, Comparison } from '@pergamin/contract';
import type { Statement } from '@pergamin/ledger';

interface Owner {
  readonly cif: string | null;
  readonly cif2: string | null;
  readonly group_id: string | null;
}

interface Evidence {
  /** The document's present row. */
  readonly live: Owner & { readonly sha256: string };
  /** The document as it was published; null when the register lost it. */
  readonly registered: (Owner & { readonly sha256: string }) | null;
  /** What its statement in the ledger says; null before it is entered, and 'closed' when the entry is there and its statement is not. */
  readonly statement: Pick<Statement, 'sha256' | 'owner'> | 'closed' | null;
  /** SHA-256 of the stored bytes, undefined when they could not be read. */
  readonly bytes: string | undefined;
  /** Which of the asking client's principals it was delivered to. */
  readonly principals: readonly string[];
}

/** The principals of a document's owners. Empty when it is public. */
const principalsOf = ({ cif, cif2, group_id: group }: Owner): string[] => {
  const owners = [
    ...(cif === null ? [] : [`cif:${cif}`]),
    ...(cif2 === null || cif2 === cif ? [] : [`cif:${cif2}`]),
    ...(group === null ? [] : [`group:${group}`]),
  ];
  return owners.length === 0 ? ['public'] : owners;
};

/** Register and ledger are two witnesses of the publication: where they differ, one of them was changed. */
export const isContentRight = ({ live, registered, statement, bytes }: Evidence): boolean =>
  registered !== null &&
  bytes === registered.sha256 &&
  live.sha256 === registered.sha256 &&
  (statement === null || (statement !== 'closed' && bytes === statement.sha256));

type OwnerEvidence = Pick<Evidence, 'live' | 'registered' | 'principals'>;

/** The right owner is the registered one, and the asker is among them (G7); a public document has none, so that its hash alone decides. */
const isOwnerRegistered = ({ live, registered, principals }: OwnerEvidence): boolean =>
  registered !== null &&
  live.cif === registered.cif &&
  live.cif2 === registered.cif2 &&
  live.group_id === registered.group_id &&
  principalsOf(registered).some((principal) => principals.includes(principal));

const isOwnerStated = ({ live, statement }: Pick<Evidence, 'live' | 'statement'>): boolean =>
  statement === null || (statement !== 'closed' && statement.owner === principalsOf(live).join('\n'));

const isOwnerRight = (evidence: Evidence): boolean => isOwnerRegistered(evidence) && isOwnerStated(evidence);

/** Before any byte is read: the row agrees with the publication in content and owner (G8). */
export const isAsPublished = (evidence: OwnerEvidence): boolean =>
  evidence.live.sha256 === evidence.registered?.sha256 && isOwnerRegistered(evidence);

/** SHA_CIF_NOK: both differ, or nothing can be said because there is no publication, no statement or no bytes to compare with. */
export const verdictOf = (evidence: Evidence): CheckStatus => {
  if (evidence.registered === null || evidence.bytes === undefined) return 'SHA_CIF_NOK';
  const [content, owner] = [isContentRight(evidence), isOwnerRight(evidence)];
  if (content) return owner ? 'SHA_CIF_OK' : 'CIF_NOT_EQUAL';
  return owner ? 'SHA_NOT_EQUAL' : 'SHA_CIF_NOK';
};

/** The parts of the verdict, for callers that asked what was compared. */
export const comparisonOf = (evidence: Evidence): Comparison => {
  const { live, registered, statement, bytes } = evidence;
  return {
    stored: registered === null || bytes === undefined ? null : isContentRight(evidence),
    owner: registered === null ? null : isOwnerRight(evidence),
    entry: statement === null ? null : statement !== 'closed' && statement.sha256 === live.sha256 && isOwnerStated(evidence),
  };
};
