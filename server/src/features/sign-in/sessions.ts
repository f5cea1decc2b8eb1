import { randomUUID } from 'node:crypto';
import { sessionHeaders, sessionLimits, type Call } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, sha256 } from '#platform/crypto/secrets.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { createIdentify, type Identify, refusedToken } from './identify.ts';
import { isOneOf } from './one-time-codes.ts';
import type { SignInParts } from './parts.ts';
import type { SessionMemory } from './session-memory.ts';
import * as store from './session.store.ts';
import { seal, unseal } from './sealed.ts';
import { createSessionToken, type SessionClaims } from './session-token.ts';
import { challengeOf } from './sign-in.rules.ts';
import { createTokenKey } from './token-key.ts';

interface Parts extends Pick<SignInParts, 'db' | 'pool' | 'settings' | 'cookies' | 'clock' | 'log'> {
  readonly memory: SessionMemory;
}

/** A session at an identity service whose portal session has ended. */
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
   * it is left at its service. Throws INVALID_CREDENTIALS_ERROR; the code is consumed either way.
   */
  start(request: FastifyRequest, reply: FastifyReply, login: { code: string; verifier: string }): Promise<LeftBehind | undefined>;
  /** A new token for the caller's session, whose idle end moves. Throws ACCESS_DENIED like authenticate, and for all but the newest token. */
  refresh(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Ends the caller's session at once. Throws ACCESS_DENIED like authenticate. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<LeftBehind>;
  /** Ends a person's sessions at once, wherever they are. */
  endOfPerson(personalId: string, options: { except?: string; reason: store.EndReason }): Promise<LeftBehind[]>;
  /** Ends the sessions that began with one session of an identity service, or with one person there. */
  endOfService(serviceId: string, mark: store.ServiceMark): Promise<void>;
}

const leftBehind = (ended: store.Ended, secret?: string): LeftBehind => ({
  serviceId: ended.service_id,
  serviceSession: ended.service_session,
  idToken: secret === undefined || ended.id_token === null ? null : (unseal(secret, ended.id_token) ?? null),
});

/** Issues tokens, and sends the time when the session ends by itself. */
interface Tokens {
  idleEndMs(atMs: number, absoluteMs: number): number;
  give(reply: FastifyReply, claims: SessionClaims, idleMs: number): Promise<void>;
}

export const createSessions = (given: Parts): Sessions => {
  const tokenKey = createTokenKey(given.db);
  const tokens: Tokens = {
    idleEndMs: (atMs, absoluteMs) => Math.min(atMs + given.settings.sessionIdleMs, absoluteMs),
    async give(reply, claims, idleMs) {
      void reply.header(sessionHeaders.token, `Bearer ${createSessionToken(await tokenKey(), claims)}`);
      void reply.header(sessionHeaders.expiry, String(idleMs));
    },
  };
  const parts = { ...given, tokens };
  const identify = createIdentify({ ...parts, tokenKey });
  return { start: createStart(parts), ...callsOf(parts, identify), ...endingsOf(parts) };
};

type Inner = Parts & { readonly tokens: Tokens };

const createStart =
  ({ db, pool, memory, settings, cookies, tokens, clock, log }: Inner): Sessions['start'] =>
  async (request, reply, { code, verifier }) => {
    const browser = cookies.readBrowser(request);
    const id = randomUUID();
    const secret = randomToken();
    const secretHash = sha256(secret);
    const previous = cookies.readSession(request);
    const at = clock.now();
    const absoluteEnd = new Date(at.getTime() + settings.sessionAbsoluteMs);
    const idleMs = tokens.idleEndMs(at.getTime(), absoluteEnd.getTime());
    const begun = await store.beginSession(pool, {
      code: { hash: sha256(code), challenge: challengeOf(verifier), browserHashes: browser.map((one) => sha256(one)) },
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
    // Sign-ins of other tabs are still under way.
    cookies.setBrowser(
      reply,
      browser.filter((one) => !isOneOf([one], begun.browser_hash)),
    );
    log.info({ sessionId: id, audit: 'SIGNED_IN' }, 'session began');
    if (begun.replaced_id !== null) memory.forget(begun.replaced_id);
    const idToken = begun.id_token === null ? undefined : unseal(code, begun.id_token);
    if (idToken !== undefined) await store.keepIdToken(db, id, seal(secret, idToken));
    const exp = Math.ceil(absoluteEnd.getTime() / 1_000);
    await tokens.give(reply, { sub: begun.personal_id, sid: id, gen: 0, bnd: secretHash.toString('base64url'), exp }, idleMs);
    cookies.setSession(reply, secret);
    const { replaced_service_id: serviceId, replaced_service_session: serviceSession } = begun;
    if (serviceId === null || serviceSession === begun.service_session) return undefined;
    return { serviceId, serviceSession, idToken: null };
  };

const callsOf = (
  { db, memory, cookies, tokens, clock, log }: Inner,
  identify: Identify,
): Pick<Sessions, 'authenticate' | 'refresh' | 'end'> => {
  /** Written at most once a minute, so that a busy client costs one write a minute and not one a call. */
  const slide = async (id: string, row: store.SessionRow): Promise<number> => {
    const untilMs = tokens.idleEndMs(clock.now().getTime(), row.absolute_expires_at_ms);
    if (untilMs - row.idle_expires_at_ms < sessionLimits.slideWriteEveryMs) return row.idle_expires_at_ms;
    await store.slideSession(db, { id, until: new Date(untilMs) });
    memory.slide(id, untilMs);
    return untilMs;
  };

  return {
    async authenticate(request, reply, call) {
      const { claims, row } = await identify(request);
      if (call.keepsSessionAlive) void reply.header(sessionHeaders.expiry, String(await slide(claims.sid, row)));
      const { personal_id: personalId, cif, cif2, state } = row;
      return { sessionId: claims.sid, sessionBeganAt: new Date(row.created_at_ms), personalId, cif, cif2, state };
    },

    async refresh(request, reply) {
      const { claims, row } = await identify(request);
      const at = clock.now();
      const untilMs = tokens.idleEndMs(at.getTime(), row.absolute_expires_at_ms);
      const until = new Date(untilMs);
      if (!(await store.refreshSession(db, { id: claims.sid, generation: claims.gen, at, until })))
        throw refusedToken(log, 'refreshed', claims);
      memory.forget(claims.sid);
      await tokens.give(reply, { ...claims, gen: claims.gen + 1 }, untilMs);
    },

    async end(request, reply) {
      const { claims, secret } = await identify(request);
      const ended = await store.endSession(db, { id: claims.sid, reason: 'LOGOUT', at: clock.now() });
      memory.forget(claims.sid);
      if (ended === undefined) throw refusedToken(log, 'session ended', claims);
      log.info({ sessionId: claims.sid, audit: 'LOGOUT' }, 'session ended');
      cookies.clearSession(reply);
      return leftBehind(ended, secret);
    },
  };
};

const endingsOf = ({ db, memory, clock, log }: Inner): Pick<Sessions, 'endOfPerson' | 'endOfService'> => ({
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
  },
});
