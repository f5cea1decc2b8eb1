import type { Kysely } from 'kysely';
import { ownTables } from '../database/tables.ts';
import type { Clock, IdentityMail } from '../parts.ts';
import type { ActivationCodes } from './activation-codes.ts';
import type { LinkLetters, Reader } from './link-letter.ts';
import * as store from './password-store.ts';

export interface Invitation {
  readonly personalId: string;
  /** To be mailed by the transaction that keeps the invitation. */
  readonly letter: IdentityMail;
  /** The activation code, for a channel other than mail; undefined when the link alone is enough. Only its hash is stored. */
  readonly code: string | undefined;
}

export interface Invitations {
  /**
   * For each of these people who has no password and was not invited before (`again`: or was), a link that sets the first one. Runs in the
   * transaction `within`: a rollback takes the invitation back.
   */
  invite<Schema>(people: readonly Reader[], options: { within: Kysely<Schema>; again: boolean }): Promise<Invitation[]>;
}

interface Parts {
  readonly letters: LinkLetters;
  /** Undefined when activating takes no second fact. */
  readonly codes: ActivationCodes | undefined;
  readonly clock: Clock;
}

/** Invites new people to a first password, with a constant number of statements for a whole import. */
export const createInvitations = ({ letters, codes, clock }: Parts): Invitations => ({
  async invite(people, { within, again }) {
    const trx = ownTables(within);
    const wanted = await store.findUninvited(
      trx,
      people.map(({ personalId }) => personalId),
      { again },
    );
    const at = clock.now();
    const invitations: Invitation[] = [];
    const links: store.NewLink[] = [];
    for (const person of people) {
      if (!wanted.has(person.personalId)) continue;
      const { personalId } = person;
      const code = codes?.make();
      const { letter, tokenHash, expiresAt } = letters.write(person, code === undefined ? 'activation' : 'activationWithCode', at);
      const codeHash = code === undefined ? null : ((await codes?.hash(code)) ?? null);
      links.push({ personalId, tokenHash, boundTo: null, codeHash, at, expiresAt });
      invitations.push({ personalId, letter, code });
    }
    await store.replaceLinks(trx, links);
    return invitations;
  },
});
