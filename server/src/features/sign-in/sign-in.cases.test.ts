import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';
import { signInThroughIdentity, createTestBrowser, obtainCode, redeemCode } from '#testing/sign-in-as.ts';

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal();
  await portal.addPerson('10000001');
  await portal.addPerson('10000002');
});
afterAll(() => portal[Symbol.asyncDispose]());

test('a person signs in at the identity service and is known to the portal afterwards', async () => {
  const { token, cookie } = await signInThroughIdentity(portal.server, { personalId: '10000001', password, host: portal.host });
  const self = await portal.server.inject({
    url: '/api/protected/account/self/info',
    headers: { host: portal.host, authorization: token, cookie },
  });
  expect(self.statusCode).toBe(200);
  expect(self.json()).toMatchObject({ personalId: '10000001' });
});
