import { type Call, publisherScopes, type PublisherScope } from '@pergamin/contract';
import type { FastifyRequest } from 'fastify';
import { createBoundedCache } from '#platform/cache/bounded-cache.ts';
import type { Clock } from '#platform/clock/clock.ts';
import { sha256 } from '#platform/crypto/secrets.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import { createRepeatedLines } from '#platform/log/repeated-lines.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { createOwnKeys, type OwnKeys } from './own-keys.ts';
import { findKey, isKey, isValidIn, writeUse } from './publisher-keys.store.ts';

/** Of more keys than these the least recently used are proven anew. */
const maxProven = 1_000;

const isScope = (scope: string): scope is PublisherScope => publisherScopes.some((known) => known === scope);

/** Why a key is refused, as the log says it; the metric has the shorter names. */
const reasons = {
  missing: 'missing or malformed',
  unknown: 'unknown',
  revoked: 'revoked',
  expired: 'expired',
  scope: 'without the scope of the call',
} as const;

/** The same, as its holder is told: nobody else has the whole key. */
const toldReasons = {
  missing: 'there is none, or it is malformed',
  unknown: 'this portal does not know it',
  revoked: 'it was revoked',
  expired: 'it has expired',
} as const;

const invalidKey = (key: string): PortalError => new PortalError('ACCESS_DENIED', { message: 'The key is not valid', fields: { key } });

/** API keys of publishers at work. A key is `pk_` and 43 characters; rows hold only its SHA-256. */
export interface PublisherKeys extends OwnKeys {
  /** Whether this process found the key of the request right at its last use. It authenticates nothing: keys that are not are counted for their network. */
  isProven(request: FastifyRequest): boolean;
  /**
   * From `Authorization: Bearer <key>`. Throws ACCESS_DENIED for a missing, unknown, expired or revoked key, and says which in `fields.key`. The
   * database is asked at every call, so that a revocation holds at once in every process.
   */
  authenticate(request: FastifyRequest): Promise<PublisherCaller>;
  /** Throws CALL_NOT_PERMITTED when the key lacks the call's scope, with that in `fields.key`. */
  requireScope(caller: PublisherCaller, call: Call): void;
  /**
   * Throws ACCESS_DENIED when the caller's key has ended meanwhile. The key is locked until the transaction ends, so that a revocation finds
   * everything that was published with it.
   */
  requireValid(trx: Trx, caller: PublisherCaller): Promise<void>;
}

export interface Running {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'countRefusedKey'>;
}

const hashOf = (request: FastifyRequest): Buffer | undefined => {
  const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  return key !== undefined && isKey(key) ? sha256(key) : undefined;
};

type Row = NonNullable<Awaited<ReturnType<typeof findKey>>>;

const findEnd = ({ revokedAt, expiresAt }: Row, now: Date): 'revoked' | 'expired' | undefined => {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : undefined;
};

export const createPublisherKeys = (db: Db, { clock, log, metrics }: Running): PublisherKeys => {
  const lines = createRepeatedLines({ clock, log });
  const proven = createBoundedCache<true>(maxProven);

  const tellRefused = (reason: keyof typeof reasons, about: { readonly keyId?: string; readonly call?: string } = {}): void => {
    metrics.countRefusedKey(reason);
    const subject = [reason, ...Object.values(about)].join(' ');
    lines.warn(subject, { ...about, reason: reasons[reason] }, 'publisher key refused');
  };

  /** The call is made all the same: what a full disk leaves possible needs no row of its own. */
  const noteUse = async (row: Row, now: Date): Promise<void> => {
    try {
      await writeUse(db, row, now);
    } catch (error) {
      lines.warn(`use ${row.id}`, { err: error, keyId: row.id }, 'the last use of a publisher key could not be written');
    }
  };

  return {
    ...createOwnKeys(db, clock),

    isProven(request) {
      const keyHash = hashOf(request);
      return keyHash !== undefined && proven.get(keyHash.toString('base64')) === true;
    },

    async authenticate(request) {
      const keyHash = hashOf(request);
      if (keyHash === undefined) {
        tellRefused('missing');
        throw invalidKey(toldReasons.missing);
      }
      const now = clock.now();
      const row = await findKey(db, keyHash);
      const end = row === undefined ? 'unknown' : findEnd(row, now);
      if (row === undefined || end !== undefined) {
        proven.delete(keyHash.toString('base64'));
        tellRefused(end ?? 'unknown', row === undefined ? {} : { keyId: row.id });
        throw invalidKey(toldReasons[end ?? 'unknown']);
      }
      proven.set(keyHash.toString('base64'), true);
      await noteUse(row, now);
      return { keyId: row.id, name: row.name, scopes: row.scopes.filter(isScope), demo: row.demo };
    },

    requireScope({ keyId, scopes }, { scope, name }) {
      if (scope !== undefined && scopes.includes(scope)) return;
      tellRefused('scope', { keyId, call: name });
      throw new PortalError('CALL_NOT_PERMITTED', scope === undefined ? {} : { fields: { key: `it lacks the scope ${scope}` } });
    },

    async requireValid(trx, { keyId }) {
      if (!(await isValidIn(trx, keyId, clock.now()))) throw invalidKey('it was revoked or has expired meanwhile');
    },
  };
};
