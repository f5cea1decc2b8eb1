import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import * as z from 'zod/mini';
import type { Clock } from '../parts.ts';
import type { IdentityDatabase } from '../database/tables.ts';

export interface Secrets {
  readonly signingKey: JWK;
  readonly cookieKeys: readonly string[];
  readonly clientSecret: string;
}

const signingKey = z.strictObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
});

const createSigningKey = (): object => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(`${key.x}.${key.y}`).digest('base64url').slice(0, 22);
  return { ...key, kty: 'EC', kid, alg: 'ES256', use: 'sig' };
};

const random = (): string => randomBytes(32).toString('base64url');

/** Makes each secret once for the life of the installation; of several processes that start together, one's secrets hold for all. */
export const loadSecrets = async ({ db, clock }: { db: IdentityDatabase; clock: Clock }): Promise<Secrets> => {
  const load = async <Value>(name: string, schema: z.ZodMiniType<Value>, create: () => unknown): Promise<Value> => {
    const find = () => db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst();
    if ((await find()) === undefined)
      await db
        .insertInto('secret')
        .values({ name, value: JSON.stringify(create()), created_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const stored = await find();
    return z.parse(schema, stored?.value);
  };
  return {
    signingKey: await load('signing-key', signingKey, createSigningKey),
    cookieKeys: await load('cookie-keys', z.array(z.string()), () => [random()]),
    clientSecret: await load('client-secret', z.string(), random),
  };
};
