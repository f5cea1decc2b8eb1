import { beforeEach, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createServiceClient, type ServiceClient } from './identity-service.ts';

const issuer = 'https://identity.partner.example';
const attempt = { state: 'a-state', nonce: 'a-nonce', verifier: 'v'.repeat(64) };
const hour = 3_600_000;

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });

let nowMs: number;
let reads: number;
/** Where people sign in there, according to its metadata; undefined: they cannot be read. */
let place: string | undefined;
let client: ServiceClient;

beforeEach(() => {
  nowMs = 0;
  reads = 0;
  place = 'first';
  client = createServiceClient(
    {
      id: 'partner',
      issuer,
      clientId: 'portal',
      clientSecret: 'secret',
      claim: 'sub',
      pattern: null,
      async transport(address) {
        // Every exchange there is refused.
        if (!new URL(address).pathname.startsWith('/.well-known/')) return json({ error: 'invalid_grant' }, 400);
        reads += 1;
        if (place === undefined) return json({}, 503);
        return json({
          issuer,
          authorization_endpoint: `${issuer}/${place}/authorize`,
          token_endpoint: `${issuer}/${place}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
        });
      },
    },
    { publicUrl: new URL('https://documents.example.com'), clock: { now: () => new Date(nowMs) }, log: silentLog() },
  );
});

const placeOfSignIn = async (): Promise<string | undefined> => {
  const url = await client.authorizationUrl(attempt, { hint: null, language: 'PL' });
  // What is read behind the answer has been read by then.
  await new Promise((resolve) => setImmediate(resolve));
  return new URL(url).pathname.split('/')[1];
};

const exchange = (): Promise<unknown> => client.complete(new URLSearchParams({ code: 'a-code', state: attempt.state }), attempt);

test('a service that moves is followed within the hour', async () => {
  expect(await placeOfSignIn()).toBe('first');
  place = 'second';
  nowMs = hour - 1;
  expect([await placeOfSignIn(), reads]).toEqual(['first', 1]);
  nowMs = hour;
  // The reload runs in the background: this sign-in still uses the former metadata.
  await placeOfSignIn();
  expect([await placeOfSignIn(), reads]).toEqual(['second', 2]);
});

test('after an exchange that failed the metadata are read before they are used again, once a minute at most', async () => {
  await placeOfSignIn();
  place = 'second';
  await expect(exchange()).rejects.toThrow('error in the response body');
  expect([await placeOfSignIn(), reads]).toEqual(['first', 1]);
  nowMs = 60_000;
  expect([await placeOfSignIn(), reads]).toEqual(['second', 2]);
  place = 'third';
  await expect(exchange()).rejects.toThrow('error in the response body');
  expect([await placeOfSignIn(), reads]).toEqual(['second', 2]);
});

test('what is known stays when it cannot be read anew', async () => {
  await placeOfSignIn();
  place = undefined;
  nowMs = hour;
  await placeOfSignIn();
  await expect(exchange()).rejects.toThrow('error in the response body');
  nowMs += 60_000;
  expect([await placeOfSignIn(), reads]).toEqual(['first', 3]);
});

test('a service that cannot be read at first is asked again each time', async () => {
  place = undefined;
  await expect(placeOfSignIn()).rejects.toThrow('something went wrong');
  place = 'first';
  expect(await placeOfSignIn()).toBe('first');
});
