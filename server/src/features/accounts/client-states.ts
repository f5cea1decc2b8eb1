import type { AnswerOf, BodyOf, calls } from '@pergamin/contract';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { isTransition } from './accounts.rules.ts';
import * as store from './client-states.store.ts';
import type { AccountsParts } from './parts.ts';

export type ClientStates = ReturnType<typeof createClientStates>;

type Parts = Pick<AccountsParts, 'db' | 'passwords' | 'endSessions' | 'clock' | 'log'>;

/** The organisation disables, closes and reopens the accounts of its clients. */
export const createClientStates = ({ db, passwords, endSessions, clock, log }: Parts) => {
  /** Throws RESOURCE_NOT_FOUND, or VALIDATION_ERROR when it may be several. */
  const getNamed = async (named: store.NamedClient, { demo }: Pick<PublisherCaller, 'demo'>) => {
    const [found, ...more] = await store.listNamed(db, named, { demo, limit: 6 });
    if (found === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
    if (more.length === 0) return found;
    const ids = [found, ...more].map(({ personalId }) => personalId);
    throw invalidField(
      'client',
      `may be ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' …' : ''}: name one by its personal id (by=personalId)`,
    );
  };

  const endAll = (personalId: string): Promise<void> => endSessions(personalId, { reason: 'ACCOUNT_DISABLED' });

  return {
    async changeState(
      named: store.NamedClient,
      { state, reason }: BodyOf<typeof calls.changeClientState>,
      key: PublisherCaller,
    ): Promise<AnswerOf<typeof calls.changeClientState>> {
      const { personalId, state: present } = await getNamed(named, key);
      // A crash may have left sessions of a disabled client, which must not come back with the account.
      if (present === 'DISABLED') await endAll(personalId);
      const changed = await db.transaction().execute(async (trx) => {
        const before = await store.lockClient(trx, personalId);
        if (before === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
        if (before.state === state) return { ...before, changed: false };
        if (!isTransition(before.state, state))
          throw new PortalError('INVALID_STATUS', { fields: { state: `it is ${before.state}: reopen it first` } });
        await store.changeState(trx, { personalId, before: before.state, after: state, at: clock.now(), key, reason });
        if (state === 'DISABLED') await passwords?.disable(personalId, trx);
        if (before.state === 'DISABLED') await passwords?.enable(personalId, trx);
        return { ...before, state, changed: true };
      });
      // Refused since the commit by the state alone; this ends their rows, and what is open at the embedded identity service.
      if (state === 'DISABLED') await endAll(personalId);
      log.info({ personalId, state, changed: changed.changed, keyId: key.keyId, audit: 'CLIENT_STATE' }, 'state of a client');
      return changed;
    },

    async readHistory(named: store.NamedClient, key: PublisherCaller): Promise<AnswerOf<typeof calls.getClientHistory>> {
      const client = await getNamed(named, key);
      const changes = await store.listChanges(db, client.personalId);
      return { client, items: changes.map(({ at, ...change }) => ({ ...change, at: at.getTime() })) };
    },
  };
};
