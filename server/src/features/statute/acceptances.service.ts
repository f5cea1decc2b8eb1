import type { StatuteInForce } from '@pergamin/contract';
import { createBoundedCache } from '#platform/cache/bounded-cache.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { requireAllPages } from '#platform/pdf/require-all-pages.ts';
import { findPages, getStatute, hasAccepted, insertAcceptance, markPage, type StatuteVersion } from './statute.store.ts';
import type { Standing, VersionsInForce } from './versions-in-force.ts';

interface Parts {
  readonly db: Db;
  readonly versions: VersionsInForce;
  readonly clock: Clock;
}

/**
 * The terms in force, and the acceptances of each version. Until the version in force is accepted, a client's document calls are refused
 * (C3); reading a version and accepting it never are. The nearest version that was published ahead may be accepted before its day, and is not
 * requested again then; a CLOSED client is not told of it.
 */
export type Acceptances = ReturnType<typeof createAcceptances>;

/** Pages that could not be shown are tried again. */
const findPagesReached = async (db: Db, asked: { personalId: string; id: string }): Promise<number[]> => {
  const { pages, notShown } = await findPages(db, asked);
  return pages.filter((page) => !notShown.includes(page));
};

/** Acceptances cached per process. */
const maxRemembered = 50_000;

/** An acceptance is never taken back, but a person may be removed: the next holder of the id has other sessions, and has accepted nothing. */
const createIsAccepted = (db: Db) => {
  const accepted = createBoundedCache<true>(maxRemembered);
  return async ({ sessionId, personalId }: ClientCaller, id: string): Promise<boolean> => {
    const key = `${sessionId} ${id}`;
    if (accepted.has(key)) return true;
    if (!(await hasAccepted(db, { personalId, id }))) return false;
    accepted.set(key, true);
    return true;
  };
};

export const createAcceptances = ({ db, versions, clock }: Parts) => {
  const isAccepted = createIsAccepted(db);

  const tellUpcoming = async (caller: ClientCaller, upcoming: StatuteVersion | undefined): Promise<Pick<StatuteInForce, 'upcoming'>> => {
    if (upcoming === undefined || caller.state === 'CLOSED') return {};
    const { id, version, effectiveFrom, changes } = upcoming;
    const [accepted, pagesReached] = await Promise.all([
      isAccepted(caller, id),
      findPagesReached(db, { personalId: caller.personalId, id }),
    ]);
    return { upcoming: { id, version, effectiveFrom: effectiveFrom.getTime(), changes, accepted, pagesReached } };
  };

  /** A version that the caller may accept now: the one in force, or the upcoming one that they are told of. */
  const getOpen = async ({ state }: ClientCaller, id: string): Promise<StatuteVersion> => {
    const { inForce, upcoming } = await versions.findNow();
    if (inForce?.id === id) return inForce;
    if (upcoming?.id === id && state !== 'CLOSED') return upcoming;
    await getStatute(db, id);
    throw new PortalError('INVALID_STATUS');
  };

  const isSettled = async (caller: ClientCaller, { inForce }: Standing): Promise<boolean> =>
    inForce === undefined || isAccepted(caller, inForce.id);

  return {
    /** Throws CALL_NOT_PERMITTED unless nothing is left to accept: no statute in force, a CLOSED client, or accepted. */
    async requireAccepted(caller: ClientCaller): Promise<void> {
      if (caller.state === 'CLOSED') return;
      if (await isSettled(caller, await versions.find())) return;
      // Another process may have withdrawn the version just before its moment.
      if (!(await isSettled(caller, await versions.findNow()))) throw new PortalError('CALL_NOT_PERMITTED');
    },

    async getInForce(caller: ClientCaller): Promise<StatuteInForce> {
      const { inForce, upcoming } = await versions.findNow();
      const told = await tellUpcoming(caller, upcoming);
      if (inForce === undefined) return { id: null, version: null, effectiveFrom: null, accepted: true, pagesReached: [], ...told };
      const { id, version, effectiveFrom } = inForce;
      // A closed client need not accept.
      const accepted = caller.state === 'CLOSED' || (await isAccepted(caller, id));
      const pagesReached = await findPagesReached(db, { personalId: caller.personalId, id });
      return { id, version, effectiveFrom: effectiveFrom.getTime(), accepted, pagesReached, ...told };
    },

    /**
     * Idempotent. Throws INVALID_STATUS for a version that is neither the one in force nor the upcoming one that the caller is told of, and, with the
     * pages that are missing, unless the caller has marked every page of it (C5).
     */
    async accept(caller: ClientCaller, id: string): Promise<void> {
      const version = await getOpen(caller, id);
      if (await isAccepted(caller, id)) return;
      const { personalId } = caller;
      requireAllPages({ pageCount: version.pageCount, ...(await findPages(db, { personalId, id })) });
      const acceptance = { personalId, statute: version, at: clock.now() };
      if (!(await db.transaction().execute((trx) => insertAcceptance(trx, acceptance)))) throw new PortalError('INVALID_STATUS');
    },

    /** Throws INVALID_STATUS as `accept` does. */
    async markPage(caller: ClientCaller, reached: { id: string; page: number; isShown: boolean }): Promise<void> {
      await getOpen(caller, reached.id);
      if (!(await markPage(db, { personalId: caller.personalId, ...reached }))) throw new PortalError('RESOURCE_NOT_FOUND');
    },
  };
};
