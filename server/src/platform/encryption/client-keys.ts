import { randomBytes, randomUUID } from 'node:crypto';
import { createBoundedCache } from '#platform/cache/bounded-cache.ts';
import { DatabaseError } from 'pg';
import type { Db } from '#platform/database/schema.ts';
import { keyBytes } from './cobblestone.ts';
import { type KeyProvider, KeyUnavailable } from './key-provider.ts';
import {
  claimOtherVersions,
  type ClientKeyRow,
  insertClientKeys,
  insertObjectKeys,
  listClientKeys,
  listObjectKeys,
  type NewObjectKey,
  sampleClientKeys,
  setWrapped,
} from './keys.store.ts';
import { unwrapKey, wrapKey } from './wrapping.ts';

/** The key of one object. */
export interface ObjectKey {
  readonly key: Buffer;
  readonly identity: string;
}

export interface OwnedObject extends ObjectKey {
  readonly objectKey: string;
  readonly owners: readonly string[];
}

/** Of a client, unwrapped. */
interface OwnKey {
  readonly id: string;
  readonly key: Buffer;
}

/** Unwrapped keys of clients in memory, so that a provider is asked once in a while. Whether a key is still there, the database says at each use. */
const createKeyCache = <Key extends Buffer | OwnKey>() => createBoundedCache<Key>(10_000, { ttl: 10 * 60_000 });
const rewrappedAtOnce = 200;

const contextOfClient = (id: string): string => `pergamin/client-key/v1\0${id}`;
const contextOfObject = (identity: string, clientKeyId: string): string => `pergamin/object-key/v1\0${identity}\0${clientKeyId}`;

interface Parts {
  readonly db: Db;
  readonly provider: KeyProvider;
}

export type ClientKeys = ReturnType<typeof createClientKeys>;

/** Every method throws KeyUnavailable when the provider does not have the key that is needed. */
export const createClientKeys = (parts: Parts) => {
  const { db } = parts;
  const own = createOwnKeys(parts);

  return {
    /** Makes the keys of owners who have none. */
    ensure: own.ensure,

    newObjectKey: (): ObjectKey => ({ key: randomBytes(keyBytes), identity: randomUUID() }),

    /** For each owner its own copy. */
    async keep(objects: readonly OwnedObject[]): Promise<void> {
      const owners = [...new Set(objects.flatMap((object) => object.owners))];
      try {
        await insertObjectKeys(db, rowsOf(objects, await own.of(owners)));
      } catch (error) {
        if (!isKeyGone(error)) throw error;
        // The key of a client was destroyed since it was last used.
        own.forget();
        await insertObjectKeys(db, rowsOf(objects, await own.of(owners)));
      }
    },

    /** Undefined: there is no key, because the object is not encrypted, or because its key was destroyed. */
    async find(objectKey: string): Promise<ObjectKey | undefined> {
      const [row] = await listObjectKeys(db, objectKey);
      if (row === undefined) return undefined;
      const { identity, clientKey } = row;
      const clientKeyItself = await own.unwrap(clientKey);
      try {
        return { identity, key: unwrapKey(clientKeyItself, row.wrapped, contextOfObject(identity, clientKey.id)) };
      } catch (error) {
        throw new KeyUnavailable(`the key of the object ${objectKey} is not one of its owner`, { cause: error });
      }
    },

    ...createCare(parts),
  };
};

const createOwnKeys = ({ db, provider }: Parts) => {
  const unwrapped = createKeyCache<Buffer>();
  const owned = createKeyCache<OwnKey>();

  const unwrap = async (row: ClientKeyRow): Promise<Buffer> => {
    const known = unwrapped.get(row.id);
    if (known !== undefined) return known;
    const key = await provider.unwrap(row, contextOfClient(row.id));
    unwrapped.set(row.id, key);
    return key;
  };

  const make = async (owner: string): Promise<ClientKeyRow> => {
    const id = randomUUID();
    return { id, owner, ...(await provider.wrap(randomBytes(keyBytes), contextOfClient(id))) };
  };

  /** Makes the keys of owners who have none. */
  const ensure = async (owners: readonly string[]): Promise<ReadonlyMap<string, OwnKey>> => {
    let rows = await listClientKeys(db, owners);
    const missing = owners.filter((owner) => !rows.some((row) => row.owner === owner));
    if (missing.length > 0) {
      await insertClientKeys(db, await Promise.all(missing.map(make)));
      // Another process may have been faster.
      rows = await listClientKeys(db, owners);
    }
    const keys = new Map(await Promise.all(rows.map(async (row) => [row.owner, { id: row.id, key: await unwrap(row) }] as const)));
    for (const [owner, key] of keys) owned.set(owner, key);
    return keys;
  };

  return {
    ensure,
    unwrap,
    /** Without asking whether they are still there. */
    async of(owners: readonly string[]): Promise<ReadonlyMap<string, OwnKey>> {
      const known = owners.flatMap((owner) => {
        const key = owned.get(owner);
        return key === undefined ? [] : [[owner, key] as const];
      });
      return known.length === owners.length ? new Map(known) : ensure(owners);
    },
    forget: (): void => owned.clear(),
  };
};

const rowsOf = (objects: readonly OwnedObject[], keys: ReadonlyMap<string, OwnKey>): NewObjectKey[] =>
  objects.flatMap(({ objectKey, owners, key, identity }) =>
    [...new Set(owners)].map((owner) => {
      const own = keys.get(owner);
      if (own === undefined) throw new Error('the key of an owner was destroyed meanwhile');
      const wrapped = wrapKey(own.key, key, contextOfObject(identity, own.id));
      return { object_key: objectKey, client_key_id: own.id, identity, wrapped };
    }),
  );

/** A foreign key that leads nowhere. */
const isKeyGone = (error: unknown): boolean => error instanceof DatabaseError && error.code === '23503';

/** Of the keys that wrap clients' keys. */
const createCare = ({ db, provider }: Parts) => ({
  /** Throws KeyUnavailable when the provider cannot unwrap a key of each version that is in use. */
  async assertUsable(): Promise<void> {
    for (const row of await sampleClientKeys(db)) await provider.unwrap(row, contextOfClient(row.id));
  },

  /** Wraps a portion of the keys of older versions by the present one. Says how many; zero: all are of the present one. */
  async rewrapSome(): Promise<number> {
    const version = await provider.currentVersion();
    return db.transaction().execute(async (trx) => {
      const rows = await claimOtherVersions(trx, version, rewrappedAtOnce);
      for (const row of rows) {
        const context = contextOfClient(row.id);
        await setWrapped(trx, { id: row.id, ...(await provider.wrap(await provider.unwrap(row, context), context)) });
      }
      return rows.length;
    });
  },
});
