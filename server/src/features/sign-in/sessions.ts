import { randomUUID } from 'node:crypto';
import { sessionHeaders, sessionLimits, type Call } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Clock } from '#platform/clock/clock.ts';
import { isEqual, randomToken, sha256 } from '#platform/crypto/secrets.ts';
import type { Database } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Settings } from '#platform/settings/settings.ts';
import * as store from './session.store.ts';
import { createSessionToken, readSessionToken, type SessionClaims } from './session-token.ts';
import type { SignInCookies } from './sign-in.cookies.ts';
import { createTokenKey } from './token-key.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly pool: Pool;
  readonly settings: Pick<Settings, 'sessionIdleMs' | 'sessionAbsoluteMs'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly cookies: SignInCookies;
}

interface NewSession {
  readonly personalId: string;
  readonly serviceId: string;
  readonly serviceSession: string | null;
}

/** A session at an identity service that nobody uses any more. */
export interface LeftBehind {
  readonly serviceId: string;
  readonly serviceSession: string | null;
}

export interface Sessions {
  /** Throws ACCESS_DENIED unless token and cookie belong together and to a living session; slides its idle end when the call says so. */
  authenticate(request: FastifyRequest, reply: FastifyReply, call: Pick<Call, 'keepsSessionAlive'>): Promise<ClientCaller>;
  /** Starts a session with a new secret, and ends the one that this browser had. */
  start(request: FastifyRequest, reply: FastifyReply, session: NewSession): Promise<LeftBehind | undefined>;
  /** Ends the caller's session at once. Throws ACCESS_DENIED like authenticate. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<LeftBehind>;
}

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

const denied = (): PortalError => new PortalError('ACCESS_DENIED');

const leftBehind = (ended: { service_id: string; service_session: string | null }): LeftBehind => ({
  serviceId: ended.service_id,
  serviceSession: ended.service_session,
});

export const createSessions = ({ db, pool, settings, clock, log, cookies }: Parts): Sessions => {
  const tokenKey = createTokenKey(db);

  const readToken = async (request: FastifyRequest): Promise<SessionClaims> => {
    const [, token] = bearer.exec(request.headers.authorization ?? '') ?? [];
    const claims = token === undefined ? undefined : readSessionToken(await tokenKey(), token);
    if (claims === undefined || claims.exp * 1_000 <= clock.now().getTime()) throw denied();
    return claims;
  };

  /** A token without its cookie has been carried off: whoever has it, it is worth nothing from now on. */
  const endStolen = async (claims: SessionClaims): Promise<PortalError> => {
    const ended = await store.endSession(db, { id: claims.sid, reason: 'BINDING_MISMATCH', at: clock.now() });
    if (ended !== undefined) log.warn({ sessionId: claims.sid, audit: 'BINDING_MISMATCH' }, 'token and cookie do not match; session ended');
    return denied();
  };

  const identify = async (request: FastifyRequest): Promise<{ claims: SessionClaims; row: store.SessionRow }> => {
    const claims = await readToken(request);
    const secret = cookies.readSession(request);
    const secretHash = secret === undefined ? undefined : sha256(secret);
    if (secretHash === undefined || !isEqual(secretHash, Buffer.from(claims.bnd, 'base64url'))) throw await endStolen(claims);
    const row = await store.findSession(pool, claims.sid);
    if (row === undefined || row.ended_at !== null || row.personal_id !== claims.sub) throw denied();
    if (!isEqual(secretHash, row.secret_hash)) throw await endStolen(claims);
    const now = clock.now();
    if (row.idle_expires_at <= now || row.absolute_expires_at <= now) throw denied();
    return { claims, row };
  };

  /** Written at most once a minute, so that a busy client costs one write a minute and not one a call. */
  const slide = async (id: string, row: store.SessionRow): Promise<Date> => {
    const untilMs = Math.min(clock.now().getTime() + settings.sessionIdleMs, row.absolute_expires_at.getTime());
    if (untilMs - row.idle_expires_at.getTime() < sessionLimits.slideWriteEveryMs) return row.idle_expires_at;
    const until = new Date(untilMs);
    await store.slideSession(db, { id, until });
    return until;
  };

  return {
    async authenticate(request, reply, call) {
      const { claims, row } = await identify(request);
      if (call.keepsSessionAlive) {
        const expiresAt = await slide(claims.sid, row);
        void reply.header(sessionHeaders.expiry, String(expiresAt.getTime()));
      }
      return { sessionId: claims.sid, personalId: row.personal_id, cif: row.cif, cif2: row.cif2, state: row.state };
    },

    async start(request, reply, { personalId, serviceId, serviceSession }) {
      const id = randomUUID();
      const secret = randomToken();
      const secretHash = sha256(secret);
      const at = clock.now();
      const absoluteMs = at.getTime() + settings.sessionAbsoluteMs;
      const idleMs = Math.min(at.getTime() + settings.sessionIdleMs, absoluteMs);
      const previous = cookies.readSession(request);
      const replaced = await db.transaction().execute(async (trx) => {
        const ended = previous === undefined ? undefined : await store.endSessionOfSecret(trx, { secretHash: sha256(previous), at });
        await store.insertSession(trx, {
          id,
          personal_id: personalId,
          secret_hash: secretHash,
          service_id: serviceId,
          service_session: serviceSession,
          created_at: at,
          idle_expires_at: new Date(idleMs),
          absolute_expires_at: new Date(absoluteMs),
        });
        return ended;
      });
      const claims = { sub: personalId, sid: id, bnd: secretHash.toString('base64url'), exp: Math.ceil(absoluteMs / 1_000) };
      void reply.header(sessionHeaders.token, `Bearer ${createSessionToken(await tokenKey(), claims)}`);
      void reply.header(sessionHeaders.expiry, String(idleMs));
      cookies.setSession(reply, secret);
      return replaced === undefined ? undefined : leftBehind(replaced);
    },

    async end(request, reply) {
      const { claims } = await identify(request);
      const ended = await store.endSession(db, { id: claims.sid, reason: 'LOGOUT', at: clock.now() });
      if (ended === undefined) throw denied();
      cookies.clearSession(reply);
      return leftBehind(ended);
    },
  };
};
