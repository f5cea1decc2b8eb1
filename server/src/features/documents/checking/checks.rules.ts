import type { CheckStatus, Comparison } from '@pergamin/contract';

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
  /** SHA-256 of the stored bytes, undefined when they could not be read. */
  readonly bytes: string | undefined;
  /** Which of the asking client's principals it was delivered to. */
  readonly principals: readonly string[];
}

/** The principals of a document's owners. Empty when it is public. */
const principalsOf = ({ cif, cif2, group_id: group }: Owner): string[] => {
  const owners = [
    ...(cif === null ? [] : [`cif:${cif}`]),
    ...(cif2 === null ? [] : [`cif:${cif2}`]),
    ...(group === null ? [] : [`group:${group}`]),
  ];
  return owners.length === 0 ? ['public'] : owners;
};

export const isContentRight = ({ live, registered, bytes }: Evidence): boolean =>
  registered !== null && bytes === registered.sha256 && live.sha256 === registered.sha256;

/** The right owner is the registered one, and the asker is among them (G7); a public document has none, so that its hash alone decides. */
const isOwnerRight = ({ live, registered, principals }: Omit<Evidence, 'bytes'>): boolean =>
  registered !== null &&
  live.cif === registered.cif &&
  live.cif2 === registered.cif2 &&
  live.group_id === registered.group_id &&
  principalsOf(registered).some((principal) => principals.includes(principal));

/** Before any byte is read: the row agrees with the publication in content and owner (G8). */
export const isAsPublished = (evidence: Omit<Evidence, 'bytes'>): boolean =>
  evidence.live.sha256 === evidence.registered?.sha256 && isOwnerRight(evidence);

/** SHA_CIF_NOK: both differ, or nothing can be said because there is no publication or there are no bytes to compare with. */
export const verdictOf = (evidence: Evidence): CheckStatus => {
  if (evidence.registered === null || evidence.bytes === undefined) return 'SHA_CIF_NOK';
  const [content, owner] = [isContentRight(evidence), isOwnerRight(evidence)];
  if (content) return owner ? 'SHA_CIF_OK' : 'CIF_NOT_EQUAL';
  return owner ? 'SHA_NOT_EQUAL' : 'SHA_CIF_NOK';
};

/** The parts of the verdict, for callers that asked what was compared. */
export const comparisonOf = (evidence: Evidence): Comparison => {
  const { registered, bytes } = evidence;
  return {
    stored: registered === null || bytes === undefined ? null : isContentRight(evidence),
    owner: registered === null ? null : isOwnerRight(evidence),
  };
};
