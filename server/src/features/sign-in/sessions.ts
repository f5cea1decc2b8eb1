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
import type { SessionMemory } from './session-memory.ts';
import * as store from './session.store.ts';
import { seal, unseal } from './sealed.ts';
import { createSessionToken, createTokenReader, type SessionClaims } from './session-token.ts';
import type { SignInCookies } from './sign-in.cookies.ts';
import { challengeOf } from './sign-in.rules.ts';
import { createTokenKey } from './token-key.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly pool: Pool;
  readonly memory: SessionMemory;
  readonly settings: Pick<Settings, 'sessionIdleMs' | 'sessionAbsoluteMs'>;
  readonly running: { readonly clock: Clock; readonly log: Log };
  readonly cookies: SignInCookies;
}

/** A session at an identity service that nobody uses any more. */
export interface LeftBehind {
  readonly serviceId: string;
  readonly serviceSession: string | null;
  /** Known only when the browser itself leaves. */
  readonly idToken: string | null;
}

export interface Sessions {
  /**
   * Throws ACCESS_DENIED unless token and cookie belong together and to a living session; slides its idle end when the call says so. A token
   * that comes without its own cookie, or again after its refresh, ends the session.
   */
  authenticate(request: FastifyRequest, reply: FastifyReply, call: Pick<Call, 'keepsSessionAlive'>): Promise<ClientCaller>;
  /**
   * Step 7: turns a one-time code into a session with a new secret, and ends the one that this browser had; gives that one when something of
   * it is left at its service. Throws INVALID_CREDENTIALS_ERROR; the code is burnt either way.
   */
  start(request: FastifyRequest, reply: FastifyReply, login: { code: string; verifier: string }): Promise<LeftBehind | undefined>;
  /** A new token for the caller's session, whose idle end moves. Throws ACCESS_DENIED like authenticate, and for all but the newest token. */
  refresh(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Ends the caller's session at once. Throws ACCESS_DENIED like authenticate. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<LeftBehind>;
  /** Ends a person's sessions at once, wherever they are. */
  endOfPerson(personalId: string, options: { except?: string; reason: store.EndReason }): Promise<LeftBehind[]>;
  /** Ends the sessions that began with one session of an identity service, or with one person there; says how many. */
  endOfService(serviceId: string, mark: store.ServiceMark): Promise<number>;
}

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Equal to no hash. */
const noHash = Buffer.alloc(0);

/** What ends a session whose token has been carried off. */
const signsOfTheft = {
  BINDING_MISMATCH: 'token and cookie do not match; session ended',
  TOKEN_REUSED: 'a token was used again after its refresh; session ended',
} as const satisfies Partial<Record<store.EndReason, string>>;

const denied = (): PortalError => new PortalError('ACCESS_DENIED');

const isJustRefreshed = ({ refreshed_at_ms }: store.SessionRow, nowMs: number): boolean =>
  refreshed_at_ms !== null && nowMs - refreshed_at_ms < sessionLimits.previousTokenReadsMs;

/** The newest token of a session, and for a moment the one before it: calls that were under way when it was refreshed. */
const isReadable = ({ gen }: SessionClaims, row: store.SessionRow, nowMs: number): boolean =>
  gen === row.generation || (gen === row.generation - 1 && isJustRefreshed(row, nowMs));

const leftBehind = (ended: store.Ended, secret?: string): LeftBehind => ({
  serviceId: ended.service_id,
  serviceSession: ended.service_session,
  idToken: secret === undefined || ended.id_token === null ? null : (unseal(secret, ended.id_token) ?? null),
});

export const createSessions = ({ db, pool, memory, settings, running, cookies }: Parts): Sessions => {
  const { clock, log } = running;
  const tokenKey = createTokenKey(db);
  let reader: ReturnType<typeof createTokenReader> | undefined;

  const refused = (reason: string, claims?: SessionClaims): PortalError => {
    log.info({ reason, sessionId: claims?.sid }, 'token refused');
    return denied();
  };

  const readToken = async (request: FastifyRequest): Promise<SessionClaims> => {
    const [, token] = bearer.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) throw refused('missing or malformed');
    reader ??= createTokenReader(await tokenKey());
    const claims = reader(token);
    if (claims === undefined) throw refused('not signed here');
    if (claims.exp * 1_000 <= clock.now().getTime()) throw refused('expired', claims);
    return claims;
  };

  /** A token that somebody else may have, too: whoever has it, it is worth nothing from now on. */
  const endStolen = async (claims: SessionClaims, audit: keyof typeof signsOfTheft): Promise<PortalError> => {
    const ended = await store.endSession(db, { id: claims.sid, reason: audit, at: clock.now() });
    memory.forget(claims.sid);
    if (ended === undefined) return refused('session ended', claims);
    log.warn({ sessionId: claims.sid, audit }, signsOfTheft[audit]);
    return denied();
  };

  /** What keeps a token out; `reused` when it is older than one that the browser has had for a while. */
  const findFault = (claims: SessionClaims, row: store.SessionRow): string | undefined => {
    const nowMs = clock.now().getTime();
    if (row.is_ended || row.personal_id !== claims.sub) return 'session ended';
    if (row.idle_expires_at_ms <= nowMs || row.absolute_expires_at_ms <= nowMs) return 'session expired';
    if (isReadable(claims, row, nowMs)) return undefined;
    return claims.gen < row.generation && !isJustRefreshed(row, nowMs) ? 'reused' : 'refreshed';
  };

  const identify = async (request: FastifyRequest): Promise<{ claims: SessionClaims; row: store.SessionRow; secret: string }> => {
    const claims = await readToken(request);
    const secret = cookies.readSession(request);
    const secretHash = secret === undefined ? undefined : sha256(secret);
    if (secret === undefined || secretHash === undefined || !isEqual(secretHash, Buffer.from(claims.bnd, 'base64url')))
      throw await endStolen(claims, 'BINDING_MISMATCH');
    const known = memory.recall(claims.sid);
    if (known !== undefined && isEqual(secretHash, known.secret_hash) && findFault(claims, known) === undefined)
      return { claims, row: known, secret };
    const row = await memory.read(claims.sid);
    if (row === undefined || row.is_ended || row.personal_id !== claims.sub) throw refused('session ended', claims);
    if (!isEqual(secretHash, row.secret_hash)) throw await endStolen(claims, 'BINDING_MISMATCH');
    const fault = findFault(claims, row);
    if (fault === 'reused') throw await endStolen(claims, 'TOKEN_REUSED');
    if (fault !== undefined) throw refused(fault, claims);
    return { claims, row, secret };
  };

  const idleEndMs = (atMs: number, absoluteMs: number): number => Math.min(atMs + settings.sessionIdleMs, absoluteMs);

  const giveToken = async (reply: FastifyReply, claims: SessionClaims, idleMs: number): Promise<void> => {
    void reply.header(sessionHeaders.token, `Bearer ${createSessionToken(await tokenKey(), claims)}`);
    void reply.header(sessionHeaders.expiry, String(idleMs));
  };

  /** Written at most once a minute, so that a busy client costs one write a minute and not one a call. */
  const slide = async (id: string, row: store.SessionRow): Promise<number> => {
    const untilMs = idleEndMs(clock.now().getTime(), row.absolute_expires_at_ms);
    if (untilMs - row.idle_expires_at_ms < sessionLimits.slideWriteEveryMs) return row.idle_expires_at_ms;
    await store.slideSession(db, { id, until: new Date(untilMs) });
    memory.slide(id, untilMs);
    return untilMs;
  };

  return {
    async authenticate(request, reply, call) {
      const { claims, row } = await identify(request);
      if (call.keepsSessionAlive) {
        void reply.header(sessionHeaders.expiry, String(await slide(claims.sid, row)));
      }
      return { sessionId: claims.sid, personalId: row.personal_id, cif: row.cif, cif2: row.cif2, state: row.state };
    },

    async start(request, reply, { code, verifier }) {
      const browser = cookies.readBrowser(request);
      cookies.clearBrowser(reply);
      const id = randomUUID();
      const secret = randomToken();
      const secretHash = sha256(secret);
      const previous = cookies.readSession(request);
      const at = clock.now();
      const absoluteEnd = new Date(at.getTime() + settings.sessionAbsoluteMs);
      const idleMs = idleEndMs(at.getTime(), absoluteEnd.getTime());
      const begun = await store.beginSession(pool, {
        code: { hash: sha256(code), challenge: challengeOf(verifier), browserHash: browser === undefined ? noHash : sha256(browser) },
        id,
        secretHash,
        previousSecretHash: previous === undefined ? undefined : sha256(previous),
        at,
        idleEnd: new Date(idleMs),
        absoluteEnd,
      });
      if (begun === undefined) {
        log.info({}, 'one-time code refused');
        throw new PortalError('INVALID_CREDENTIALS_ERROR');
      }
      log.info({ sessionId: id, audit: 'SIGNED_IN' }, 'session began');
      if (begun.replaced_id !== null) memory.forget(begun.replaced_id);
      const idToken = begun.id_token === null ? undefined : unseal(code, begun.id_token);
      if (idToken !== undefined) await store.keepIdToken(db, id, seal(secret, idToken));
      const exp = Math.ceil(absoluteEnd.getTime() / 1_000);
      await giveToken(reply, { sub: begun.personal_id, sid: id, gen: 0, bnd: secretHash.toString('base64url'), exp }, idleMs);
      cookies.setSession(reply, secret);
      const { replaced_service_id: serviceId, replaced_service_session: serviceSession } = begun;
      if (serviceId === null || serviceSession === begun.service_session) return undefined;
      return { serviceId, serviceSession, idToken: null };
    },

    async refresh(request, reply) {
      const { claims, row } = await identify(request);
      const at = clock.now();
      const untilMs = idleEndMs(at.getTime(), row.absolute_expires_at_ms);
      const until = new Date(untilMs);
      if (!(await store.refreshSession(db, { id: claims.sid, generation: claims.gen, at, until }))) throw refused('refreshed', claims);
      memory.forget(claims.sid);
      await giveToken(reply, { ...claims, gen: claims.gen + 1 }, untilMs);
    },

    async end(request, reply) {
      const { claims, secret } = await identify(request);
      const ended = await store.endSession(db, { id: claims.sid, reason: 'LOGOUT', at: clock.now() });
      memory.forget(claims.sid);
      if (ended === undefined) throw refused('session ended', claims);
      log.info({ sessionId: claims.sid, audit: 'LOGOUT' }, 'session ended');
      cookies.clearSession(reply);
      return leftBehind(ended, secret);
    },

    async endOfPerson(personalId, { except, reason }) {
      const ended = await store.endSessionsOfPerson(db, { personalId, except, reason, at: clock.now() });
      for (const { id } of ended) memory.forget(id);
      log.info({ sessions: ended.length, reason }, 'sessions ended');
      return ended.map((one) => leftBehind(one));
    },

    async endOfService(serviceId, mark) {
      const ended = await store.endSessionsOfService(db, { serviceId, mark, at: clock.now() });
      for (const { id } of ended) memory.forget(id);
      log.info({ service: serviceId, sessions: ended.length, reason: 'SERVICE_LOGOUT' }, 'sessions ended');
      return ended.length;
    },
  };
};
