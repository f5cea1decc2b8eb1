import { calls } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import { createHttpServer } from '#platform/http/http-server.ts';
import { mountRoutes } from '#platform/http/mount-routes.ts';
import { route } from '#platform/http/route.ts';
import { silentLog } from '#platform/log/log.ts';
import { readSettings } from '#platform/settings/settings.ts';
import { runOnServer } from '#testing/database-server.ts';
import { signInThroughIdentity } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';
import { createSignIn } from './sign-in.door.ts';

/**
 * Two processes on one database, as far as they can know of each other: sessions begin and end in the portal, and the other one, with
 * connections of its own, remembers them.
 */

let portal: SignInPortal;
let other: Awaited<ReturnType<typeof startOther>>;
beforeAll(async () => {
  portal = await startSignInPortal();
  for (const id of ['10000001', '10000002', '10000003', '10000004', '10000005', '10000006']) await portal.addPerson(id);
  other = await startOther(portal);
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

interface Held {
  readonly token: string;
  readonly cookie: string;
}

const startOther = async ({ database, clock, host }: SignInPortal) => {
  const log = silentLog();
  const settings = readSettings({ PUBLIC_URL: `http://${host}`, LOG_LEVEL: 'silent' });
  const opened = openDatabase({ connection: database.connection, maxConnections: 3, log });
  const messages: string[] = [];
  const states: boolean[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => waiting.forEach((look) => look());
  // The room's own subscription, and a hook right after it was notified.
  const listen: OpenDatabase['listen'] = (channel, subscriber) =>
    opened.listen(channel, {
      onMessage(payload) {
        subscriber.onMessage(payload);
        messages.push(payload);
        wake();
      },
      onLive(isLive) {
        subscriber.onLive(isLive);
        states.push(isLive);
        wake();
      },
    });
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  let reads = 0;
  opened.pool.on('acquire', () => {
    reads += 1;
  });
  const accounts = { find: async () => undefined, welcome: async () => undefined };
  const signIn = createSignIn({ database: { ...opened, listen }, settings, metrics: portal.metrics, clock, log, accounts, services: [] });
  const server = await createHttpServer({ publicUrl: settings.publicUrl, log, trustedProxies: [] });
  const anonymous = async () => undefined;
  const guards = {
    protected: signIn.authenticate,
    publisher: () => Promise.reject(new Error('no publisher here')),
    auth: anonymous,
    open: anonymous,
    system: anonymous,
  };
  const image = route(calls.getPageImage, async ({ caller }) => ({ body: Buffer.from(caller.cif), contentType: 'text/plain' }));
  mountRoutes(server, [image], guards);
  const ask = async ({ token, cookie }: Held) => {
    const before = reads;
    const { statusCode, body } = await server.inject({
      url: '/api/protected/documents/render/page/11111111-1111-4111-8111-111111111111/1',
      headers: { host, authorization: token, cookie },
    });
    return { status: statusCode, body, reads: reads - before };
  };
  return {
    ask,
    states,
    /** Resolves when this session has been told of. */
    told: (held: Held) => until(() => messages.includes(sessionOf(held))),
    live: () => until(() => states.at(-1) === true),
    lost: (losses: number) => until(() => states.filter((isLive) => !isLive).length === losses),
    async [Symbol.asyncDispose]() {
      await server.close();
      await opened.close();
    },
  };
};

const sessionOf = ({ token }: Held): string => {
  const claims: { sid: string } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return claims.sid;
};

const signIn = (personalId: string): Promise<Held> => signInThroughIdentity(portal.server, { personalId, password, host: portal.host });

const post = (path: string, { token, cookie }: Held) =>
  portal.server.inject({ method: 'POST', url: path, headers: { host: portal.host, authorization: token, cookie } });

/** A session that the other process remembers. */
const signInKnown = async (personalId: string): Promise<Held> => {
  const held = await signIn(personalId);
  await other.ask(held);
  await other.live();
  await other.ask(held);
  expect(await other.ask(held)).toMatchObject({ status: 200, reads: 0 });
  return held;
};

describe('a session that another process remembers', () => {
  test('is dead there as soon as it has ended here', async () => {
    const held = await signInKnown('10000001');
    expect((await post(calls.logout.path, held)).statusCode).toBe(204);
    await other.told(held);
    expect((await other.ask(held)).status).toBe(401);
  });

  test('is dead there when its person’s sessions are all ended', async () => {
    const held = await signInKnown('10000002');
    await portal.signIn.endSessionsOf('10000002', { reason: 'PASSWORD_CHANGED' });
    await other.told(held);
    expect((await other.ask(held)).status).toBe(401);
  });

  test('is dead there when its client is removed', async () => {
    const held = await signInKnown('10000005');
    await portal.database.pool.query('delete from client where personal_id = $1', ['10000005']);
    await other.told(held);
    expect((await other.ask(held)).status).toBe(401);
  });

  test('has its old token read there for a moment only, once it was refreshed here', async () => {
    const held = await signInKnown('10000003');
    const refreshed = await post(calls.refresh.path, held);
    const next = { ...held, token: String(refreshed.headers['authorization']) };
    expect((await other.ask(next)).status).toBe(200);
    await other.told(held);
    expect((await other.ask(held)).status).toBe(200);
    portal.clock.advance(10_001);
    expect((await other.ask(next)).status).toBe(200);
    expect((await other.ask(held)).status).toBe(401);
    // It was used again after its refresh: the session is over everywhere.
    expect((await post(calls.refresh.path, next)).statusCode).toBe(401);
  });

  test('shows what is its client’s as soon as the client’s number has changed', async () => {
    const held = await signInKnown('10000004');
    await portal.database.pool.query(`update client set cif = 'another' where personal_id = $1`, ['10000004']);
    await other.told(held);
    expect(await other.ask(held)).toMatchObject({ status: 200, body: 'another' });
  });

  test.each([
    ['second number', `cif2 = 'joint'`],
    ['state', `state = 'CLOSED'`],
  ])('is read anew as soon as its client’s %s has changed', async (_what, change) => {
    const held = await signInKnown('10000006');
    await portal.database.pool.query(`update client set ${change} where personal_id = $1`, ['10000006']);
    await other.told(held);
    expect(await other.ask(held)).toMatchObject({ status: 200, reads: 1 });
  });

  test('is refused by another process as soon as its client is disabled', async () => {
    const held = await signInKnown('10000006');
    await portal.database.pool.query(`update client set state = 'DISABLED' where personal_id = $1`, ['10000006']);
    await other.told(held);
    expect((await other.ask(held)).status).toBe(401);
    await portal.database.pool.query(`update client set state = 'ACTIVE' where personal_id = $1`, ['10000006']);
  });

  test('is worth nothing without its own cookie', async () => {
    const held = await signInKnown('10000004');
    const thief = { token: held.token, cookie: (await signIn('10000001')).cookie };
    expect((await other.ask(thief)).status).toBe(401);
    expect((await other.ask(held)).status).toBe(401);
  });

  test('is read anew after ten seconds, and at its idle end', async () => {
    const held = await signInKnown('10000004');
    portal.clock.advance(10_000);
    expect(await other.ask(held)).toMatchObject({ status: 200, reads: 1 });
    expect(await other.ask(held)).toMatchObject({ status: 200, reads: 0 });
    portal.clock.advance(15 * 60_000);
    expect((await other.ask(held)).status).toBe(401);
  });
});

test('while nothing can be heard, every call reads its session; later they are remembered again', async () => {
  const server = inject('databaseServer');
  const held = await signInKnown('10000004');
  const losses = other.states.filter((isLive) => !isLive).length;
  const { database: name } = portal.database.connection;
  await runOnServer(server, `alter database ${name} allow_connections false`);
  await runOnServer(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pergamin-listener' and datname = '${name}'`,
  );
  await other.lost(losses + 1);
  expect(await other.ask(held)).toMatchObject({ status: 200, reads: 1 });
  expect(await other.ask(held)).toMatchObject({ status: 200, reads: 1 });
  await runOnServer(server, `alter database ${name} allow_connections true`);
  await other.live();
  await other.ask(held);
  expect(await other.ask(held)).toMatchObject({ status: 200, reads: 0 });
});
