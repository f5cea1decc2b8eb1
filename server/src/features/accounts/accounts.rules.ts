import type { ClientState } from '@pergamin/contract';

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

/** The outside service that keeps the password of a managed client (K3): the one whose ids fit, or the only one there is. */
export const findPasswordKeeper = <S extends { readonly personalIds: RegExp | null }>(
  services: readonly S[],
  personalId: string,
): S | undefined => services.find(({ personalIds }) => personalIds === null || personalIds.test(personalId));
