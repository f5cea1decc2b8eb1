import { sessionHeaders, sessionStorageKeys } from '@pergamin/contract';
import { createSignal } from './store.ts';
import { clearStatuteFlag } from './statute-flag.ts';

/** What this tab holds of a session: the value of the authorization header, and when the session ends on the server's clock. */
export interface StoredSession {
  readonly token: string;
  readonly expiresAtEpochMs: number | undefined;
}

const stored = createSignal<StoredSession>();
const cleared = createSignal();
let serverAheadMs = 0;
let sinceMs = 0;

/** As the `authorization` header has it, with `Bearer`; undefined when this tab has no session. */
export const currentToken = (): string | undefined => sessionStorage.getItem(sessionStorageKeys.token) ?? undefined;

export const currentSession = (): StoredSession | undefined => {
  const token = currentToken();
  return token === undefined ? undefined : { token, expiresAtEpochMs: epochOf(sessionStorage.getItem(sessionStorageKeys.expiry)) };
};

/** When this token was given out, on the clock of this machine, 0 after a reload: of what tabs tell one another the newest wins (B17). */
export const tokenSinceMs = (): number => sinceMs;

/** How long the session lasts if nothing is done; undefined without a session or without a known end. Counts on the server's clock. */
export const sessionLeftMs = (nowMs: number = Date.now()): number | undefined => {
  const end = currentSession()?.expiresAtEpochMs;
  return end === undefined ? undefined : end - (nowMs + serverAheadMs);
};

/** Takes over what a response says about the session (B6). `nowMs` is this machine's time when the response came. */
export const storeFromResponse = (headers: Headers, nowMs: number = Date.now()): void => {
  const serverMs = Date.parse(headers.get('date') ?? '');
  // A customer's clock may be wrong by hours; the Date header is exact to a second, so smaller differences mean nothing.
  if (!Number.isNaN(serverMs)) serverAheadMs = Math.abs(serverMs - nowMs) > 2_000 ? serverMs - nowMs : 0;
  const known = currentSession();
  const token = headers.get(sessionHeaders.token) ?? known?.token;
  const expiresAtEpochMs = epochOf(headers.get(sessionHeaders.expiry)) ?? known?.expiresAtEpochMs;
  if (token === undefined || (token === known?.token && expiresAtEpochMs === known.expiresAtEpochMs)) return;
  storeSession({ token, expiresAtEpochMs }, token === known?.token ? sinceMs : nowMs);
  stored.tell({ token, expiresAtEpochMs });
};

/** Takes over a session that another tab told about; listeners are not told. */
export const storeSession = ({ token, expiresAtEpochMs }: StoredSession, givenAtMs = 0): void => {
  sinceMs = givenAtMs;
  sessionStorage.setItem(sessionStorageKeys.token, token);
  if (expiresAtEpochMs === undefined) sessionStorage.removeItem(sessionStorageKeys.expiry);
  else sessionStorage.setItem(sessionStorageKeys.expiry, String(expiresAtEpochMs));
};

/** Forgets token, expiry and the statute flag (B8, B9, C2). */
export const clearSession = (): void => {
  sinceMs = 0;
  sessionStorage.removeItem(sessionStorageKeys.token);
  sessionStorage.removeItem(sessionStorageKeys.expiry);
  clearStatuteFlag();
  cleared.tell();
};

/** Called whenever the session of this tab is forgotten, for any reason, until the returned function is called. */
export const onSessionCleared = cleared.subscribe;

/** Called whenever a response brought a new token or another end. */
export const onSessionStored = stored.subscribe;

/** The subject of a token is the personal id (B6); undefined for anything that is no JWT. Nothing is trusted by it: the server decides. */
export const personalIdOf = (token: string): string | undefined => claimOf(token, 'sub');

/** The session that a token belongs to; a refresh keeps it. */
export const sessionIdOf = (token: string): string | undefined => claimOf(token, 'sid');

const claimOf = (token: string, name: 'sub' | 'sid'): string | undefined => {
  const payload = token.replace(/^Bearer /i, '').split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const claim: unknown = claims !== null && typeof claims === 'object' ? Reflect.get(claims, name) : undefined;
    return typeof claim === 'string' ? claim : undefined;
  } catch {
    return undefined;
  }
};

const epochOf = (text: string | null): number | undefined => {
  const value = Number(text ?? Number.NaN);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
};
