import { sessionLimits } from '@pergamin/contract';
import type { KeyObject } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isEqual, sha256 } from '#platform/crypto/secrets.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { SignInParts } from './parts.ts';
import type { SessionMemory } from './session-memory.ts';
import { createTokenReader, type SessionClaims } from './session-token.ts';
import { type EndReason, endSession, type SessionRow } from './session.store.ts';

interface Parts extends Pick<SignInParts, 'db' | 'cookies' | 'clock' | 'log'> {
  readonly memory: SessionMemory;
  readonly tokenKey: () => Promise<KeyObject>;
}

interface Identified {
  readonly claims: SessionClaims;
  readonly row: SessionRow;
  readonly secret: string;
}

/**
 * Throws ACCESS_DENIED unless token and cookie belong together and to a living session. A token that comes without its own cookie, or again
 * after its refresh, ends the session.
 */
export type Identify = (request: FastifyRequest) => Promise<Identified>;

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** What ends a session whose token has been carried off. */
const signsOfTheft = {
  BINDING_MISMATCH: 'token and cookie do not match; session ended',
  TOKEN_REUSED: 'a token was used again after its refresh; session ended',
} as const satisfies Partial<Record<EndReason, string>>;

const isJustRefreshed = ({ refreshed_at_ms }: SessionRow, nowMs: number): boolean =>
  refreshed_at_ms !== null && nowMs - refreshed_at_ms < sessionLimits.previousTokenReadsMs;

/** The newest token of a session, and for a moment the one before it: calls that were under way when it was refreshed. */
const isReadable = ({ gen }: SessionClaims, row: SessionRow, nowMs: number): boolean =>
  gen === row.generation || (gen === row.generation - 1 && isJustRefreshed(row, nowMs));

/** Why a token is refused; `reused` when it is older than one that the browser has had for a while. */
const findFault = (claims: SessionClaims, row: SessionRow, nowMs: number): string | undefined => {
  if (row.is_ended || row.personal_id !== claims.sub) return 'session ended';
  if (row.idle_expires_at_ms <= nowMs || row.absolute_expires_at_ms <= nowMs) return 'session expired';
  if (isReadable(claims, row, nowMs)) return undefined;
  return claims.gen < row.generation && !isJustRefreshed(row, nowMs) ? 'reused' : 'refreshed';
};

/** The reason is logged, not answered. */
export const refusedToken = (log: Log, reason: string, claims?: SessionClaims): PortalError => {
  log.info({ reason, sessionId: claims?.sid }, 'token refused');
  return new PortalError('ACCESS_DENIED');
};

/** A token that shows signs of theft: its session ends for all its holders. */
const endStolen = async (
  { db, memory, clock, log }: Parts,
  claims: SessionClaims,
  audit: keyof typeof signsOfTheft,
): Promise<PortalError> => {
  const ended = await endSession(db, { id: claims.sid, reason: audit, at: clock.now() });
  memory.forget(claims.sid);
  if (ended === undefined) return refusedToken(log, 'session ended', claims);
  log.warn({ sessionId: claims.sid, audit }, signsOfTheft[audit]);
  return new PortalError('ACCESS_DENIED');
};

export const createIdentify = (parts: Parts): Identify => {
  const { memory, tokenKey, cookies, clock, log } = parts;
  let reader: ReturnType<typeof createTokenReader> | undefined;

  const readToken = async (request: FastifyRequest): Promise<SessionClaims> => {
    const [, token] = bearer.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined) throw refusedToken(log, 'missing or malformed');
    reader ??= createTokenReader(await tokenKey());
    const claims = reader(token);
    if (claims === undefined) throw refusedToken(log, 'not signed here');
    if (claims.exp * 1_000 <= clock.now().getTime()) throw refusedToken(log, 'expired', claims);
    return claims;
  };

  return async (request) => {
    const claims = await readToken(request);
    const secret = cookies.readSession(request);
    const secretHash = secret === undefined ? undefined : sha256(secret);
    if (secret === undefined || secretHash === undefined || !isEqual(secretHash, Buffer.from(claims.bnd, 'base64url')))
      throw await endStolen(parts, claims, 'BINDING_MISMATCH');
    const known = memory.recall(claims.sid);
    if (known !== undefined && isEqual(secretHash, known.secret_hash) && findFault(claims, known, clock.now().getTime()) === undefined)
      return { claims, row: known, secret };
    const row = await memory.read(claims.sid);
    if (row === undefined || row.is_ended || row.personal_id !== claims.sub) throw refusedToken(log, 'session ended', claims);
    if (!isEqual(secretHash, row.secret_hash)) throw await endStolen(parts, claims, 'BINDING_MISMATCH');
    const fault = findFault(claims, row, clock.now().getTime());
    if (fault === 'reused') throw await endStolen(parts, claims, 'TOKEN_REUSED');
    if (fault !== undefined) throw refusedToken(log, fault, claims);
    return { claims, row, secret };
  };
};
