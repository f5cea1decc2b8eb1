import * as z from 'zod/mini';
import { emit } from './events.ts';
import {
  clearSession,
  currentSession,
  currentToken,
  onSessionStored,
  personalIdOf,
  sessionIdOf,
  sessionLeftMs,
  storeSession,
  tokenSinceMs,
  type StoredSession,
} from './session-token.ts';

const channelName = 'portal-auth';
/** A sibling answers within a few milliseconds; a tab that sleeps in the background must not hold up a start for long. */
const siblingAnswerMs = 300;

/** `sinceMs` is when the token was given out: of two tokens, the newer one wins in every tab. */
const toldSession = z.object({ type: z.literal('session'), token: z.string(), expiresAtEpochMs: z.optional(z.int()), sinceMs: z.int() });
/** `session`: which one ended; `to`: where the logout leads, when that is a page of ours. */
const toldLogout = z.object({ type: z.literal('logout'), session: z.optional(z.string()), to: z.optional(z.string()) });
const message = z.union([z.object({ type: z.literal('ask') }), toldSession, toldLogout]);
type Message = z.output<typeof message>;

let channel: BroadcastChannel | undefined;
type Answered = (token: string) => void;
/** Of tabs that take the session over, and of those that only want to know whose it is. */
const [waiting, looking] = [new Set<Answered>(), new Set<Answered>()];

/** Joined tabs share one session (B17): they lend its token, follow the newest one and end together. Answers the function that leaves again. */
export const joinTabs = (): (() => void) => {
  const joined = new BroadcastChannel(channelName);
  channel = joined;
  joined.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const told = message.safeParse(data);
    if (told.success) receive(told.data);
  });
  const stopTelling = onSessionStored(tellSession);
  // While this page was loading, another tab may have refreshed the token that is kept here.
  if (currentToken() !== undefined) tell({ type: 'ask' });
  return () => {
    stopTelling();
    joined.close();
    if (channel === joined) channel = undefined;
  };
};

/** Asks the other tabs for a session; true when one of them had one, and it is stored here now. */
export const borrowSession = async (waitMs: number = siblingAnswerMs): Promise<boolean> => {
  if (currentToken() !== undefined) return true;
  await askSiblings(waiting, waitMs);
  return currentToken() !== undefined;
};

/** The personal id of the session that runs in this tab or in another one, which is not taken over; undefined when none is known in time. */
export const findSignedIn = async (waitMs: number = siblingAnswerMs): Promise<string | undefined> => {
  const token = currentToken() ?? (await askSiblings(looking, waitMs));
  return token === undefined ? undefined : personalIdOf(token);
};

/** Before a session is called over: true when another tab knows of a later end, which this one may have slept through; it is stored here now. */
export const findLaterEnd = async (waitMs: number = siblingAnswerMs): Promise<boolean> => {
  await askSiblings(waiting, waitMs);
  return (sessionLeftMs() ?? 0) > 0;
};

/** Ends the same session in every other tab, and tells them where the logout leads. */
export const tellLogout = ({ token, to }: { readonly token: string | undefined; readonly to: string | undefined }): void =>
  tell({ type: 'logout', session: token === undefined ? undefined : sessionIdOf(token), to });

/** The token that another tab answers with; undefined when none does in time. */
const askSiblings = async (asking: Set<Answered>, waitMs: number): Promise<string | undefined> => {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => resolve(undefined), waitMs);
  asking.add(resolve);
  tell({ type: 'ask' });
  const token = await promise;
  clearTimeout(timer);
  asking.delete(resolve);
  return token;
};

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
const tell = (told: Message): void => channel?.postMessage(told);

const tellSession = (session: StoredSession): void => tell({ type: 'session', ...session, sinceMs: tokenSinceMs() });

const receive = (told: Message): void => {
  if (told.type === 'session') takeOver(told);
  else if (told.type === 'logout') leaveWith(told);
  else {
    const session = currentSession();
    if (session !== undefined) tellSession(session);
  }
};

const leaveWith = ({ session, to }: z.output<typeof toldLogout>): void => {
  const token = currentToken();
  // A logout from a session that this browser has replaced by now ends nothing here.
  if (token !== undefined && session !== undefined && sessionIdOf(token) !== session) return;
  clearSession();
  if (token !== undefined) emit('sessionEnded', { hadToken: true, ...(to === undefined ? {} : { to }) });
};

const takeOver = ({ token, expiresAtEpochMs, sinceMs }: z.output<typeof toldSession>): void => {
  for (const resolve of looking) resolve(token);
  const known = currentSession();
  if (known === undefined) {
    // A tab on the sign-in page did not ask: it stays there until its own customer signs in.
    if (waiting.size === 0) return;
  } else if (token === known.token) {
    if ((expiresAtEpochMs ?? 0) <= (known.expiresAtEpochMs ?? 0)) return;
  } else if (sinceMs < tokenSinceMs()) {
    // Told by a tab that missed the newer one.
    tellSession(known);
    return;
  }
  storeSession({ token, expiresAtEpochMs }, token === known?.token ? Math.max(sinceMs, tokenSinceMs()) : sinceMs);
  for (const resolve of waiting) resolve(token);
  const personalId = personalIdOf(token);
  if (known !== undefined && personalId !== undefined && personalId !== personalIdOf(known.token)) emit('personChanged', { personalId });
};
