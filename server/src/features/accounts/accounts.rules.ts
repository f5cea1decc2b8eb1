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
