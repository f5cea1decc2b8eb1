import type { JWTPayload } from 'jose';
import { randomToken, sha256 } from '#platform/crypto/secrets.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { createRepeatedLines } from '#platform/log/repeated-lines.ts';
import { assertionKind, logoutKind, personalIdOf, type ServiceClient, type SignInService } from './identity-service.ts';
import type { OneTimeCodes } from './one-time-codes.ts';
import type { SignInParts } from './parts.ts';
import type { ServiceMark } from './session.store.ts';
import type { Sessions } from './sessions.ts';
import { findMisfit, TokenRefusal } from './service-refusal.ts';
import { isPersonOf, maskName, mayName } from './sign-in.rules.ts';
import * as store from './sign-in.store.ts';
import { isUnreachable } from './watched-transport.ts';

interface Parts extends Pick<SignInParts, 'db' | 'accounts' | 'clients' | 'clock' | 'log'> {
  readonly codes: OneTimeCodes;
  readonly sessions: Pick<Sessions, 'endOfService'>;
}

/** What identity services tell the portal without a sign-in at its own door: single sign-on (B4), and that a session of theirs is over. */
export type ServiceMessages = ReturnType<typeof createServiceMessages>;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const maxLength = 255;
const serviceRetryAfterSeconds = 30;
/** Longer than a token's own age and the tolerance of clocks together. */
const rememberMs = (Math.max(assertionKind.maxAgeSeconds, logoutKind.maxAgeSeconds) + 60) * 1_000;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= maxLength ? value : undefined;

/** Back-Channel Logout 1.0, section 2.4: an event, no nonce, and a session or a person. */
const readMark = (claims: JWTPayload): ServiceMark => {
  const { events, sid: givenSid, nonce } = claims;
  if (!isObject(events) || !isObject(events[logoutEvent])) throw new TokenRefusal('no logout event');
  if (nonce !== undefined) throw new TokenRefusal('a nonce in a logout token');
  const sid = text(givenSid);
  const sub = text(claims.sub);
  if (sid !== undefined) return { sid, sub };
  if (sub !== undefined) return { sid, sub };
  throw new TokenRefusal('neither session nor person');
};

export const createServiceMessages = (parts: Parts) => {
  const { codes, sessions } = parts;
  const lines = createRepeatedLines(parts);
  const services = [...parts.clients.values()].map(({ service }) => service);

  /** Throws STORAGE_ERROR for a service that is away. One line a minute for each kind of misfit, and for each person whom the service itself has named. */
  const refuse = (what: string, error: unknown): void => {
    if (isUnreachable(error))
      throw new PortalError('STORAGE_ERROR', {
        message: 'The identity service cannot be reached',
        retryAfterSeconds: serviceRetryAfterSeconds,
        cause: error,
      });
    // The token itself is not kept: until it expires it is as good as a password.
    const misfit = findMisfit(error);
    const person = error instanceof TokenRefusal ? error.person : undefined;
    const about = person === undefined ? {} : { person };
    lines.warn(`${what}: ${misfit.what} ${person ?? ''}`, { misfit: misfit.what, reason: misfit.detail, ...about }, what);
  };

  return {
    /** Who the assertion names, and a code for this browser; the secret goes into the browser's cookie. Throws INVALID_CREDENTIALS_ERROR, STORAGE_ERROR. */
    async acceptAssertion(assertion: string, challenge: string): Promise<{ code: string; name: string; browser: string }> {
      const { account, claims, serviceId } = await readAssertion(parts, services, assertion).catch((error: unknown) => {
        refuse('single sign-on refused', error);
        throw new PortalError('INVALID_CREDENTIALS_ERROR');
      });
      const { personalId, firstName, lastName } = account;
      const browser = randomToken();
      const serviceSession = text(claims['sid']) ?? null;
      const serviceSubject = text(claims.sub) ?? null;
      const code = await codes.issue(
        { personalId, serviceId, serviceSession, serviceSubject, idToken: null },
        { challenge, browserHash: sha256(browser) },
      );
      return { code, name: `${maskName(firstName)} ${maskName(lastName)}`, browser };
    },

    /** Ends the sessions that a logout token names. Throws VALIDATION_ERROR for a token that is none, STORAGE_ERROR when the service’s keys cannot be had. */
    async acceptLogoutToken(client: ServiceClient, token: string): Promise<void> {
      const mark = await readLogout(parts, client, token).catch((error: unknown) => {
        refuse('back-channel logout refused', error);
        throw invalidField('logout_token', 'not a logout token of this service');
      });
      await sessions.endOfService(client.service.id, mark);
    },
  };
};

const readAssertion = async (parts: Parts, services: readonly SignInService[], assertion: string) => {
  const { decodeJwt } = await import('jose');
  const { iss } = decodeJwt(assertion);
  const client = parts.clients.values().find(({ service }) => service.sso?.issuer === iss);
  if (client === undefined) throw new TokenRefusal('issuer', { detail: 'of an issuer that the settings do not name' });
  const claims = await client.verifyAssertion(assertion);
  await assertFirstUse(parts, assertionKind.typ, claims);
  const personalId = personalIdOf(claims, client.service);
  if (!mayName(client.service, services, personalId))
    throw new TokenRefusal('personal id', { detail: 'a personal id of another service', person: personalId });
  const account = await parts.accounts.find(personalId);
  if (account === undefined) throw new TokenRefusal('client', { detail: 'no such client', person: personalId });
  if (!isPersonOf(account, client.service.id))
    throw new TokenRefusal('managed', { detail: 'a client of another service', person: personalId });
  return { account, claims, serviceId: client.service.id };
};

const readLogout = async (parts: Parts, client: ServiceClient, token: string): Promise<ServiceMark> => {
  const claims = await client.verifyLogoutToken(token);
  const mark = readMark(claims);
  await assertFirstUse(parts, logoutKind.typ, claims);
  return mark;
};

const assertFirstUse = async ({ db, clock }: Parts, kind: string, { iss, jti }: JWTPayload): Promise<void> => {
  if (jti === undefined || jti.length > maxLength) throw new TokenRefusal('no usable jti');
  const idHash = sha256(JSON.stringify([kind, iss, jti]));
  const isFirst = await store.useAssertion(db, { idHash, until: new Date(clock.now().getTime() + rememberMs) });
  if (!isFirst) throw new TokenRefusal('shown before');
};
