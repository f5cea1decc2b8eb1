import type { JWTVerifyGetKey } from 'jose';
import type { CustomFetch } from 'openid-client';
import type { Clock } from '#platform/clock/clock.ts';

/** `signIn`: ID tokens, which the service itself hands over. `messages`: tokens that anybody may send. */
export type KeyUse = 'signIn' | 'messages';

/** So that tokens with made-up keys fetch no more often. Those that anybody may send use up nothing of a sign-in. */
const budgets: Readonly<Record<KeyUse, { readonly burst: number; readonly everyMs: number }>> = {
  signIn: { burst: 5, everyMs: 5_000 },
  messages: { burst: 3, everyMs: 30_000 },
};
const timeoutMs = 5_000;

const createBudget = ({ burst, everyMs }: (typeof budgets)[KeyUse], clock: Clock): (() => boolean) => {
  let left = burst;
  let countedAtMs = clock.now().getTime();
  return () => {
    const gained = Math.floor((clock.now().getTime() - countedAtMs) / everyMs);
    left = Math.min(burst, left + gained);
    countedAtMs += gained * everyMs;
    if (left <= 0) return false;
    left -= 1;
    return true;
  };
};

/** Gives the last answer again, or fails as the last time, where there is no budget for another one. */
const withinBudget = (transport: CustomFetch, mayFetch: () => boolean): CustomFetch => {
  let last: { readonly body: string; readonly headers: Headers } | undefined;
  let failure: unknown;
  return async (address, options) => {
    if (!mayFetch()) {
      if (failure !== undefined) throw failure;
      if (last === undefined) throw new Error('the keys of the service were asked for too often, and none have come');
      return new Response(last.body, { status: 200, headers: last.headers });
    }
    const response = await transport(address, options).catch((error: unknown) => {
      failure = error;
      throw error;
    });
    failure = undefined;
    if (response.status !== 200) return response;
    const body = await response.text();
    last = { body, headers: response.headers };
    return new Response(body, { status: 200, headers: response.headers });
  };
};

export type ServiceKeys = (jose: typeof import('jose'), address: string, use: KeyUse) => JWTVerifyGetKey;

/**
 * The keys of an identity service, by their address. A token that names an unknown key has them fetched again, so that a service may change its keys
 * at any moment.
 */
export const createServiceKeys = (transport: CustomFetch, clock: Clock): ServiceKeys => {
  const known = new Map<string, JWTVerifyGetKey>();
  return (jose, address, use) => {
    const name = `${use} ${address}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const fetchKeys = withinBudget(transport, createBudget(budgets[use], clock));
    const keys = jose.createRemoteJWKSet(new URL(address), {
      timeoutDuration: timeoutMs,
      // The budget limits how often they are fetched.
      cooldownDuration: 0,
      [jose.customFetch]: (url, { headers, ...options }) =>
        fetchKeys(url, { ...options, headers: Object.fromEntries(headers), body: undefined }),
    });
    known.set(name, keys);
    return keys;
  };
};
