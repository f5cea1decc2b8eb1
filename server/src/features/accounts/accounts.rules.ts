import { type ClientState, embeddedServiceId } from '@pergamin/contract';

/** Every change of the state of a client that there is. A disabled account is reopened before it is closed: that would let the client in. */
const transitions: readonly { readonly from: ClientState; readonly to: ClientState }[] = [
  { from: 'ACTIVE', to: 'CLOSED' },
  { from: 'ACTIVE', to: 'DISABLED' },
  { from: 'CLOSED', to: 'DISABLED' },
  { from: 'CLOSED', to: 'ACTIVE' },
  { from: 'DISABLED', to: 'ACTIVE' },
];

export const isTransition = (from: ClientState, to: ClientState): boolean => transitions.some((row) => row.from === from && row.to === to);

interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
}

/** Recipients of the mail that a contact changed: the old address too, so that a takeover does not go unnoticed by the owner (R4). */
export const addressesToTell = (previous: Contact | null, { email, phone }: Contact): string[] => {
  if (previous === null || (previous.email === email && previous.phone === phone)) return [];
  return [...new Set([previous.email, email])].filter((address) => address !== null);
};

interface KnownAddress {
  readonly email: string | null;
  /** When it was changed last, or taken away. */
  readonly emailChangedAt: Date | null;
  readonly hasSignedIn: boolean;
}

/**
 * Whether a new address begins a quiet time: it replaces one that the owner has, or had, or is the first of an account in use. Then whoever wrote it
 * could take the account over by a forgotten password. The first address of an account that nobody has used begins none.
 */
export const beginsQuietTime = ({ email, emailChangedAt, hasSignedIn }: KnownAddress, next: string | null): boolean =>
  email !== next && (email !== null || emailChangedAt !== null || hasSignedIn);

/** From when on a link that sets a password may be mailed to an address; null: always. */
export const linksFrom = (emailChangedAt: Date | null, { contactQuietMs }: { readonly contactQuietMs: number }): Date | null =>
  emailChangedAt === null || contactQuietMs === 0 ? null : new Date(emailChangedAt.getTime() + contactQuietMs);

interface PatternedService {
  readonly id: string;
  readonly personalIds: RegExp | null;
}

/**
 * The service to which the personal id leads although it does not sign in clients of this `managed`, so that this one cannot sign in. Undefined: there is
 * no such contradiction. The rule of the sign-in itself is `mayName` with `isPersonOf`.
 */
export const findMisdirection = (
  services: readonly PatternedService[],
  { personalId, managed }: { readonly personalId: string; readonly managed: boolean },
): string | undefined => {
  const named = services.find(({ personalIds }) => personalIds?.test(personalId) === true);
  if (!managed) return named?.id;
  // One without a pattern answers for all ids that no other outside service has.
  const isServed = named !== undefined || services.some(({ personalIds }) => personalIds === null);
  return isServed ? undefined : embeddedServiceId;
};

/** The outside service that keeps the password of a managed client (K3): the one whose ids fit, or the only one there is. */
export const findPasswordKeeper = <S extends { readonly personalIds: RegExp | null }>(
  services: readonly S[],
  personalId: string,
): S | undefined => services.find(({ personalIds }) => personalIds === null || personalIds.test(personalId));
