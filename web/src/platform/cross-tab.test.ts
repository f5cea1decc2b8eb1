import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { borrowSession, findLaterEnd, findSignedIn, joinTabs, tellLogout } from './cross-tab.ts';
import { on, type PortalEvents } from './events.ts';
import { currentSession, currentToken, sessionIdOf, storeFromResponse, storeSession } from './session-token.ts';
import { freshTab, tokenFor } from './page.fixture.tsx';

const anna = tokenFor('10000001');
const piotr = tokenFor('10000002');

/** Another tab, as far as this one can tell. */
const openSibling = () => {
  const channel = new BroadcastChannel('portal-auth');
  const heard: unknown[] = [];
  channel.addEventListener('message', (event: MessageEvent<unknown>) => void heard.push(event.data));
  onTestFinished(() => channel.close());
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  return { channel, heard, tell: (message: unknown) => channel.postMessage(message) };
};

const listen = <Name extends keyof PortalEvents>(name: Name): PortalEvents[Name][] => {
  const heard: PortalEvents[Name][] = [];
  onTestFinished(on(name, (event) => void heard.push(event)));
  return heard;
};

beforeEach(async () => {
  await freshTab();
  onTestFinished(joinTabs());
});

test('a new tab gets the session of a sibling', async () => {
  const sibling = openSibling();
  sibling.channel.addEventListener('message', () => sibling.tell({ type: 'session', token: anna, expiresAtEpochMs: 5, sinceMs: 0 }));
  expect(await borrowSession(5_000)).toBe(true);
  expect(currentSession()).toEqual({ token: anna, expiresAtEpochMs: 5 });
});

test('without a sibling that is signed in, a new tab is told so soon', async () => {
  expect(await borrowSession(20)).toBe(false);
});

test('a sign-in page learns who is signed in elsewhere and takes no session over', async () => {
  const sibling = openSibling();
  sibling.channel.addEventListener('message', () => sibling.tell({ type: 'session', token: anna, expiresAtEpochMs: 5, sinceMs: 0 }));
  expect(await findSignedIn(5_000)).toBe('10000001');
  expect(currentToken()).toBeUndefined();
});

test('without a session in any tab the sign-in page learns of none', async () => {
  expect(await findSignedIn(20)).toBeUndefined();
});

test('a tab that is signed in lends its session to a tab that asks', async () => {
  const sibling = openSibling();
  storeSession({ token: anna, expiresAtEpochMs: 7 });
  sibling.tell({ type: 'ask' });
  await vi.waitFor(() => expect(sibling.heard).toEqual([{ type: 'session', token: anna, expiresAtEpochMs: 7, sinceMs: 0 }]));
});

test('a tab that did not ask stays signed out after a sign-in in another tab', async () => {
  const sibling = openSibling();
  // Opened after this tab joined, so it hears everything a moment later.
  const witness = openSibling();
  sibling.tell({ type: 'session', token: anna, expiresAtEpochMs: 5, sinceMs: 0 });
  await vi.waitFor(() => expect(witness.heard).toHaveLength(1));
  expect(currentToken()).toBeUndefined();
});

test('a later end that a sibling reached holds here too, and is not broadcast again', async () => {
  const sibling = openSibling();
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  sibling.tell({ type: 'session', token: anna, expiresAtEpochMs: 9, sinceMs: 0 });
  await vi.waitFor(() => expect(currentSession()?.expiresAtEpochMs).toBe(9));
  expect(sibling.heard).toEqual([]);
});

test('a new token is told to the other tabs', async () => {
  const sibling = openSibling();
  storeFromResponse(new Headers({ authorization: anna, 'auth-expired-epoch': '5' }), 77);
  await vi.waitFor(() => expect(sibling.heard).toEqual([{ type: 'session', token: anna, expiresAtEpochMs: 5, sinceMs: 77 }]));
});

test('the newest sign-in wins: another person in another tab is another person here', async () => {
  const sibling = openSibling();
  const changes = listen('personChanged');
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  sibling.tell({ type: 'session', token: piotr, expiresAtEpochMs: 9, sinceMs: 0 });
  await vi.waitFor(() => expect(changes).toEqual([{ personalId: '10000002' }]));
  expect(currentToken()).toBe(piotr);
});

test('a logout in another tab ends the session here, and says that there was one', async () => {
  const sibling = openSibling();
  const ends = listen('sessionEnded');
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  sibling.tell({ type: 'logout' });
  await vi.waitFor(() => expect(ends).toEqual([{ hadToken: true }]));
  expect(currentToken()).toBeUndefined();
});

test('a logout in another tab says where it leads', async () => {
  const sibling = openSibling();
  const ends = listen('sessionEnded');
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  sibling.tell({ type: 'logout', session: sessionIdOf(anna), to: '/login' });
  await vi.waitFor(() => expect(ends).toEqual([{ hadToken: true, to: '/login' }]));
});

test('a logout from a session that was replaced since ends nothing here', async () => {
  const sibling = openSibling();
  const ends = listen('sessionEnded');
  storeSession({ token: piotr, expiresAtEpochMs: 5 });
  sibling.tell({ type: 'logout', session: sessionIdOf(anna) });
  sibling.tell({ type: 'ask' });
  await vi.waitFor(() => expect(sibling.heard).toHaveLength(1));
  expect(currentToken()).toBe(piotr);
  expect(ends).toEqual([]);
});

test('an older sign-in, told late, changes nothing, and its tab is told of the newer one', async () => {
  const sibling = openSibling();
  const changes = listen('personChanged');
  storeSession({ token: piotr, expiresAtEpochMs: 9 }, 200);
  sibling.tell({ type: 'session', token: anna, expiresAtEpochMs: 50, sinceMs: 100 });
  await vi.waitFor(() => expect(sibling.heard).toEqual([{ type: 'session', token: piotr, expiresAtEpochMs: 9, sinceMs: 200 }]));
  expect(currentToken()).toBe(piotr);
  expect(changes).toEqual([]);
});

test('an earlier end of the same session, told late, changes nothing', async () => {
  const sibling = openSibling();
  storeSession({ token: anna, expiresAtEpochMs: 9 });
  sibling.tell({ type: 'session', token: anna, expiresAtEpochMs: 5, sinceMs: 0 });
  sibling.tell({ type: 'ask' });
  await vi.waitFor(() => expect(sibling.heard).toHaveLength(1));
  expect(currentSession()?.expiresAtEpochMs).toBe(9);
});

test('a page that loads with a token asks whether another tab has refreshed it meanwhile', async () => {
  const sibling = openSibling();
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  onTestFinished(joinTabs());
  await vi.waitFor(() => expect(sibling.heard).toContainEqual({ type: 'ask' }));
});

test('an end that passed here and not elsewhere has not come', async () => {
  const sibling = openSibling();
  storeSession({ token: anna, expiresAtEpochMs: Date.now() - 1 });
  expect(await findLaterEnd(20)).toBe(false);
  const end = Date.now() + 60_000;
  sibling.channel.addEventListener('message', () => sibling.tell({ type: 'session', token: anna, expiresAtEpochMs: end, sinceMs: 0 }));
  expect(await findLaterEnd(5_000)).toBe(true);
  expect(currentSession()?.expiresAtEpochMs).toBe(end);
});

test('our own logout is told to the others', async () => {
  const sibling = openSibling();
  tellLogout({ token: anna, to: '/login-ex' });
  await vi.waitFor(() => expect(sibling.heard).toEqual([{ type: 'logout', session: sessionIdOf(anna), to: '/login-ex' }]));
});

test('what is no message of ours is ignored', async () => {
  const sibling = openSibling();
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  for (const message of [null, 'logout', { type: 'session' }, { type: 'session', token: 7, expiresAtEpochMs: 5, sinceMs: 0 }])
    sibling.tell(message);
  sibling.tell({ type: 'ask' });
  await vi.waitFor(() => expect(sibling.heard).toHaveLength(1));
  expect(currentSession()).toEqual({ token: anna, expiresAtEpochMs: 5 });
});
