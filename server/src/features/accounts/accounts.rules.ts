import type { ClientRecord } from '@pergamin/contract';

interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
}

/** Where to say that somebody is to be reached elsewhere: the old address too, so that nobody is cut off without knowing (R4). */
export const addressesToTell = (
  previous: Contact | null,
  { email = null, phone = null }: Pick<ClientRecord, 'email' | 'phone'>,
): string[] => {
  if (previous === null || (previous.email === email && previous.phone === phone)) return [];
  return [...new Set([previous.email, email])].filter((address) => address !== null);
};
