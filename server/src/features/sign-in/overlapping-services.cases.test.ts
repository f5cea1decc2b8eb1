import { calls, pathOf } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOutsideService, type OutsideService } from '#testing/outside-service.ts';
import { createVerifier, locationOf } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';

/** Two outside services of which one’s pattern covers the other’s ids: each signs in only the people whose id names it. */

const origin = 'http://localhost:8080';

let alpha: OutsideService;
let beta: OutsideService;
let portal: SignInPortal;
beforeAll(async () => {
  alpha = await startOutsideService('alpha', origin);
  beta = await startOutsideService('beta', origin);
  portal = await startSignInPortal({
    publicUrl: origin,
    identityServices: JSON.stringify([
      alpha.setting({ id: 'alpha', personalIds: '2\\d{7}', sso: {} }),
      beta.setting({ id: 'beta', personalIds: '\\d{8}', sso: {} }),
    ]),
  });
  for (const id of ['20000001', '30000001']) await portal.addManagedPerson(id);
  await portal.addPerson('40000001');
  await portal.addPerson('anna');
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await alpha[Symbol.asyncDispose]();
  await beta[Symbol.asyncDispose]();
});

const serviceOf = (name: string): OutsideService => (name === 'alpha' ? alpha : beta);

interface Case {
  readonly service: 'alpha' | 'beta';
  readonly personalId: string;
  readonly isSignedIn: boolean;
}

const cases: readonly Case[] = [
  { service: 'alpha', personalId: '20000001', isSignedIn: true },
  { service: 'alpha', personalId: '30000001', isSignedIn: false },
  { service: 'beta', personalId: '20000001', isSignedIn: false },
  { service: 'beta', personalId: '30000001', isSignedIn: true },
];

const verdict = (isSignedIn: boolean): string => (isSignedIn ? 'signs in' : 'does not sign in');
const titled = cases.map((row) => ({ ...row, verdict: verdict(row.isSignedIn) }));

describe('the way back', () => {
  // The address to which a button and `/oauth?required=…` lead.
  test.each(titled)('begun at $service $verdict $personalId', async ({ service, personalId, isSignedIn }) => {
    serviceOf(service).signInAs({ subject: `${service}-${personalId}`, personalId });
    const browser = portal.newBrowser();
    const start = pathOf(calls.returnFromService, { params: { serviceId: service }, query: { state: createVerifier().state } });
    const back = await serviceOf(service)
      .newBrowser()
      .follow(locationOf(await browser.request('GET', start)));
    expect(locationOf(await browser.request('GET', back))).toMatch(isSignedIn ? /^\/oauth\// : /^\/login-ex\?error=auth$/);
  });

  test('begun at the embedded service does not sign in a client whose id is an outside service’s', async () => {
    const signInAtEmbedded = async (personalId: string): Promise<string> => {
      const browser = portal.newBrowser();
      const start = pathOf(calls.returnFromService, { params: { serviceId: 'pergamin' }, query: { state: createVerifier().state } });
      const page = locationOf(await browser.request('GET', locationOf(await browser.request('GET', start))));
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const payload = new URLSearchParams({ personalId, password }).toString();
      const answer = await browser.request('POST', page, { headers, payload });
      return locationOf(await browser.request('GET', locationOf(answer)));
    };
    expect(await signInAtEmbedded('anna')).toMatch(/^\/oauth\//);
    expect(await signInAtEmbedded('40000001')).toBe('/login-ex?error=auth');
  });
});

test.each(titled)('37: single sign-on from $service $verdict $personalId', async ({ service, personalId, isSignedIn }) => {
  const id = await serviceOf(service).assertionFor({ subject: personalId, personalId });
  const verified = pathOf(calls.verifySso, { params: { id }, query: { state: createVerifier().state } });
  expect((await portal.newBrowser().request('GET', verified)).statusCode).toBe(isSignedIn ? 200 : 400);
});
