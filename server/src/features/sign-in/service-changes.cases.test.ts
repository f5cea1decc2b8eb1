import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { calls, pathOf } from '@pergamin/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { createFakeIdentityService } from '#testing/fake-identity-service.ts';
import { createVerifier, locationOf } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal } from '#testing/sign-in-portal.ts';

/** An outside service that changes its keys, goes away, or sends what does not fit; and what the log says of it. */

const refused = '/login-ex?error=auth';
const later = '/login-ex?error=service';

const partner = createFakeIdentityService('partner');
const lines: Record<string, unknown>[] = [];
let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal({
    services: [partner.service],
    log: createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) }),
  });
  await portal.addPerson('10000001');
  for (const id of ['20000001', '20000002']) await portal.addManagedPerson(id);
});
afterAll(() => portal[Symbol.asyncDispose]());
beforeEach(() => {
  // Longer than a line is counted for, and than a budget of fetches is used up.
  portal.clock.advance(150_000);
  lines.length = 0;
});

type MakeToken = Parameters<typeof partner.answerWith>[0];

const comeBack = async (make: MakeToken = (claims) => partner.honestToken(claims), query: Record<string, string> = { code: 'any' }) => {
  const browser = portal.newBrowser();
  const { state } = createVerifier();
  const start = pathOf(calls.returnFromService, { params: { serviceId: 'partner' }, query: { state } });
  const target = locationOf(await browser.request('GET', start));
  partner.answerWith(make, target);
  const returned = { ...query, state: new URL(target).searchParams.get('state') ?? '' };
  return async () =>
    locationOf(await browser.request('GET', pathOf(calls.returnFromService, { params: { serviceId: 'partner' }, query: returned })));
};
const signIn = async (make?: MakeToken, query?: Record<string, string>): Promise<string> => (await comeBack(make, query))();

const seconds = (): number => Math.floor(portal.clock.now().getTime() / 1_000);

const logOut = async (header: { kid?: string } = {}): Promise<number> => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = { iss: partner.issuer, aud: partner.clientId, sid: 'a', jti: randomUUID(), iat: seconds(), events };
  const answer = await portal.server.inject({
    method: 'POST',
    url: pathOf(calls.backchannelLogout, { params: { serviceId: 'partner' } }),
    headers: { host: portal.host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: await partner.sign(claims, { typ: 'logout+jwt', ...header }) }).toString(),
  });
  return answer.statusCode;
};

const comeBySso = async (): Promise<number> => {
  const claims = { iss: partner.issuer, aud: 'portal', sub: '20000001', jti: randomUUID(), iat: seconds() };
  const id = await partner.sign(claims, { typ: 'portal-sso+jwt' });
  const { state } = createVerifier();
  return (await portal.newBrowser().request('GET', pathOf(calls.verifySso, { params: { id }, query: { state } }))).statusCode;
};

describe('a service that has just changed its keys', () => {
  test('signs people in at once, and its keys are fetched once', async () => {
    expect(await signIn()).toMatch(/^\/oauth\//);
    const before = partner.keyRequests();
    partner.changeKeys();
    expect(await signIn()).toMatch(/^\/oauth\//);
    expect(await signIn()).toMatch(/^\/oauth\//);
    expect(partner.keyRequests()).toBe(before + 1);
  });

  test('is believed when it ends a session, and when it sends a person', async () => {
    expect([await logOut(), await comeBySso()]).toEqual([204, 200]);
    partner.changeKeys();
    expect([await logOut(), await comeBySso()]).toEqual([204, 200]);
    partner.changeKeys();
    expect([await comeBySso(), await logOut()]).toEqual([200, 204]);
  });

  test('is not asked for its keys by each token with a made-up one, and those keep no sign-in from fetching them', async () => {
    expect(await logOut()).toBe(204);
    const before = partner.keyRequests();
    for (let time = 0; time < 30; time += 1) expect(await logOut({ kid: `made-up-${time}` })).toBe(400);
    expect(partner.keyRequests() - before).toBeLessThanOrEqual(3);
    partner.changeKeys();
    expect(await signIn()).toMatch(/^\/oauth\//);
  });
});

describe('the log names what does not fit', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const rows: readonly (readonly [string, MakeToken])[] = [
    ['issuer', (claims) => partner.honestToken(claims, { issuer: 'https://evil.example' })],
    ['audience', (claims) => partner.honestToken(claims, { audience: 'another' })],
    ['nonce', (claims) => partner.honestToken({ ...claims, nonce: 'another' })],
    ['expiry', (claims) => partner.honestToken(claims, { expiresInSeconds: -60 })],
    ['signature', (claims) => partner.honestToken(claims, { key: other })],
    ['algorithm', (claims) => partner.tokenSignedWithPublicKey(claims)],
    ['algorithm', (claims) => partner.unsignedToken(claims)],
    ['client', (claims) => partner.honestToken({ ...claims, subject: '29999999' })],
    ['claim', (claims) => partner.honestToken({ ...claims, subject: 'not an id' })],
    // A client of the embedded service.
    ['managed', (claims) => partner.honestToken({ ...claims, subject: '10000001' })],
  ];
  test.each(rows)('%s', async (misfit, make) => {
    expect(await signIn(make)).toBe(refused);
    expect(lines).toMatchObject([{ level: 40, msg: 'sign-in refused', service: 'partner', misfit, times: 1 }]);
  });

  test('twenty refusals of one kind are one line, and hide neither a wrong person nor the next one', async () => {
    for (let time = 0; time < 20; time += 1) await signIn((claims) => partner.honestToken(claims, { audience: 'another' }));
    for (const subject of ['29999991', '29999991', '29999992']) await signIn((claims) => partner.honestToken({ ...claims, subject }));
    expect(lines).toMatchObject([
      { misfit: 'audience', reason: expect.stringContaining('another') },
      { misfit: 'client', person: '29999991' },
      { misfit: 'client', person: '29999992' },
    ]);
  });

  test('a word of the browser is not repeated, nor counted as a kind of its own', async () => {
    for (const error of ['access_denied', 'canary-one', 'canary-two']) expect(await signIn(undefined, { error })).toBe(refused);
    expect(lines.map(({ misfit }) => misfit)).toEqual(['answer access_denied', 'answer of an unknown kind']);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});

describe('a service that is down', () => {
  test.each([[0], [503]])('is told apart from a refusal, for the customer, in the log and in the metrics (%d)', async (status) => {
    const back = await comeBack();
    partner.answerAllWith(status);
    try {
      expect(await back()).toBe(later);
    } finally {
      partner.answerAllWith(undefined);
    }
    expect(lines).toMatchObject([{ level: 50, outage: 'identity', which: 'partner' }]);
    expect(await portal.metrics.registry.metrics()).toMatch(/pergamin_sign_ins_total\{service="partner",outcome="unreachable"\} [1-9]/);
    expect(await signIn()).toMatch(/^\/oauth\//);
    await expect.poll(() => lines.length, { timeout: 5_000 }).toBe(2);
    expect(lines[1]).toMatchObject({ level: 40, outage: 'identity', which: 'partner' });
  });

  test('and whose keys are needed for its message is not told that the message is wrong: 503, so that it comes again', async () => {
    expect([await logOut(), await comeBySso()]).toEqual([204, 200]);
    partner.changeKeys();
    partner.answerAllWith(0);
    expect([await logOut(), await comeBySso()]).toEqual([503, 503]);
    partner.answerAllWith(undefined);
    portal.clock.advance(60_000);
    expect([await logOut(), await comeBySso()]).toEqual([204, 200]);
  });

  test('says so itself, and the customer is told to come later', async () => {
    expect(await signIn(undefined, { error: 'temporarily_unavailable' })).toBe(later);
    expect(lines).toMatchObject([{ misfit: 'answer temporarily_unavailable' }]);
  });
});
