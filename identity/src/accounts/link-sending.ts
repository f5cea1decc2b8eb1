import type { Kysely } from 'kysely';
import { ownTables } from '../database/tables.ts';
import type { Clock, IdentityPost, People } from '../parts.ts';
import { subjects, type Throttle } from '../throttle/throttle.ts';
import type { LinkLetters, Purpose } from './link-letter.ts';
import * as store from './password-store.ts';

interface Parts<Schema> {
  readonly db: Kysely<Schema>;
  readonly mail: IdentityPost<Schema>;
  readonly people: People;
  readonly throttle: Throttle;
  readonly letters: LinkLetters;
  readonly isCodeNeeded: boolean;
  readonly clock: Clock;
}

export type RequestOutcome =
  | { readonly kind: 'sent' }
  /** No address is known, or the password is kept by another service. */
  | { readonly kind: 'noAddress' }
  /** Too many were asked for, or the address is new. */
  | { readonly kind: 'wait'; readonly seconds: number };

const noAddress: RequestOutcome = { kind: 'noAddress' };

/** Mails links that set a password. Each call says whether it did. */
export const createLinkSending = <Schema>({ db: anyDb, mail, people, throttle, letters, isCodeNeeded, clock }: Parts<Schema>) => {
  const db = ownTables(anyDb);

  /** Of a link for a person without a password; undefined when it would need an activation code and none was issued. */
  const purposeOfFirst = (codeHash: string | null): Purpose | undefined => {
    if (codeHash !== null) return 'activationWithCode';
    return isCodeNeeded ? undefined : 'activation';
  };

  /** A reset link for a person with a password, an activation link for one without, none for a disabled account or a new address. */
  const sendLink = async (personalId: string): Promise<RequestOutcome> => {
    const person = await people.find(personalId);
    if (person?.email === undefined || person.email === null) return noAddress;
    const at = clock.now();
    const waitMs = (person.linksFrom?.getTime() ?? 0) - at.getTime();
    if (waitMs > 0) return { kind: 'wait', seconds: Math.ceil(waitMs / 1_000) };
    const account = await db
      .selectFrom('account')
      .select(['password_hash', 'disabled_at'])
      .where('personal_id', '=', personalId)
      .executeTakeFirst();
    if (account !== undefined && account.disabled_at !== null) return noAddress;
    const boundTo = account?.password_hash ?? null;
    const codeHash = boundTo === null ? await store.findCodeHash(db, personalId) : null;
    const purpose = boundTo === null ? purposeOfFirst(codeHash) : 'reset';
    if (purpose === undefined) return noAddress;
    const { letter, tokenHash, expiresAt } = letters.write({ personalId, email: person.email, language: person.language }, purpose, at);
    await anyDb.transaction().execute(async (trx) => {
      await store.addLinks(ownTables(trx), [{ personalId, tokenHash, boundTo, codeHash, at, expiresAt }]);
      await mail.send(letter, trx);
    });
    return { kind: 'sent' };
  };

  /** Unless the person has as many that still work, so that others cannot flood a mailbox. */
  const sendLinkForStranger = async (personalId: string): Promise<RequestOutcome> => {
    const mailed = subjects.linksMailed(personalId);
    const seconds = await throttle.take([mailed]);
    if (seconds > 0) return { kind: 'wait', seconds };
    return sendLink(personalId).catch(async (error: unknown) => {
      await throttle.giveBack([mailed]);
      throw error;
    });
  };

  return { sendLink, sendLinkForStranger };
};
