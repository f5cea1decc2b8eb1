import { emit } from './events.ts';
import {
  clearSession,
  currentSession,
  currentToken,
  onSessionStored,
  personalIdOf,
  storeSession,
  type StoredSession,
} from './session-token.ts';

const channelName = 'portal-auth';
/** A sibling answers within a few milliseconds; a tab that sleeps in the background must not hold up a start for long. */
const siblingAnswerMs = 300;

type Message = { readonly type: 'ask' } | ({ readonly type: 'session' } & StoredSession) | { readonly type: 'logout' };

let channel: BroadcastChannel | undefined;
const waiting = new Set<() => void>();

/**
 * Session storage belongs to one tab, the session to the whole browser (B17). Joined tabs lend the token to a new one, follow the newest
 * sign-in, and end together on logout. Answers the function that leaves again.
 */
export const joinTabs = (): (() => void) => {
  const joined = new BroadcastChannel(channelName);
  channel = joined;
  joined.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (isMessage(event.data)) receive(event.data);
  });
  const stopTelling = onSessionStored((session) => tell({ type: 'session', ...session }));
  return () => {
    stopTelling();
    joined.close();
    if (channel === joined) channel = undefined;
  };
};

/** Asks the other tabs for a session; true when one of them had one, and it is stored here now. */
export const borrowSession = async (waitMs: number = siblingAnswerMs): Promise<boolean> => {
  if (currentToken() !== undefined) return true;
  const answered = Promise.withResolvers<void>();
  const timer = setTimeout(answered.resolve, waitMs);
  waiting.add(answered.resolve);
  tell({ type: 'ask' });
  await answered.promise;
  clearTimeout(timer);
  waiting.delete(answered.resolve);
  return currentToken() !== undefined;
};

/** Ends the session of every other tab. */
export const tellLogout = (): void => tell({ type: 'logout' });

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
const tell = (message: Message): void => channel?.postMessage(message);

const receive = (message: Message): void => {
  if (message.type === 'ask') {
    const session = currentSession();
    if (session !== undefined) tell({ type: 'session', ...session });
  } else if (message.type === 'logout') {
    const hadToken = currentToken() !== undefined;
    clearSession();
    if (hadToken) emit('sessionEnded', { hadToken });
  } else takeOver(message);
};

const takeOver = ({ token, expiresAtEpochMs }: StoredSession): void => {
  const known = currentToken();
  if (known === undefined) {
    // A tab on the sign-in page did not ask: it stays there until its own customer signs in.
    if (waiting.size === 0) return;
    storeSession({ token, expiresAtEpochMs });
    for (const resolve of waiting) resolve();
    return;
  }
  const personalId = personalIdOf(token);
  const samePerson = personalId === personalIdOf(known);
  storeSession({ token, expiresAtEpochMs });
  if (!samePerson && personalId !== undefined) emit('personChanged', { personalId });
};

const isMessage = (value: unknown): value is Message => {
  if (value === null || typeof value !== 'object' || !('type' in value)) return false;
  if (value.type === 'ask' || value.type === 'logout') return true;
  if (value.type !== 'session' || !('token' in value) || typeof value.token !== 'string') return false;
  return 'expiresAtEpochMs' in value && (value.expiresAtEpochMs === undefined || Number.isSafeInteger(value.expiresAtEpochMs));
};
