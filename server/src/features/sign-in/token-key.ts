import { createSecretKey, type KeyObject } from 'node:crypto';
import { randomToken } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/database/schema.ts';

const name = 'session-token-key';

const load = async (db: Db): Promise<KeyObject> => {
  await db
    .insertInto('installation')
    .values({ name, value: randomToken() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return createSecretKey(Buffer.from(value, 'base64url'));
};

/** The key of the session tokens, made once for the life of the installation and read once per process. */
export const createTokenKey = (db: Db): (() => Promise<KeyObject>) => {
  let key: Promise<KeyObject> | undefined;
  return () => {
    key ??= load(db).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
};
