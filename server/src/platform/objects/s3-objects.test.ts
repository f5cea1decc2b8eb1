import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectRetentionCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  PutObjectLockConfigurationCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BucketSettings } from '#platform/settings/object-settings.ts';
import { isNightly } from '#testing/nightly.ts';
import { hasRadosgw, type Radosgw, startRadosgw } from '#testing/radosgw.ts';
import { portOf } from '#testing/raw-http.ts';
import { type StoreUnderTest, testObjects } from './objects.conformance.ts';
import { openBucket } from './s3-bucket.ts';
import { probeLock } from './s3-lock.ts';
import { createS3Objects } from './s3-objects.ts';
import { openS3Store } from './s3-store.ts';
import { s3StorePlace } from './s3-store-id.ts';
import { listVersions } from './s3-versions.ts';

const isTested = isNightly && hasRadosgw();

let gateway: Radosgw;
let spool: string;

beforeAll(async () => {
  if (!isTested) return;
  gateway = await startRadosgw();
  spool = await mkdtemp(join(tmpdir(), 'pergamin-storing-'));
}, 120_000);
afterAll(async () => {
  if (!isTested) return;
  await gateway[Symbol.asyncDispose]();
  await rm(spool, { recursive: true });
});

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** A way to the gateway that can be cut. */
const openWay = async (): Promise<{ url: string; cut: () => Promise<void> }> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const upstream = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    async cut() {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};

const storeUnderTest = async (settings: BucketSettings, keepsDiscarded = false): Promise<StoreUnderTest> => {
  const way = await openWay();
  const bucket = openBucket({ ...settings, endpoint: way.url });
  return {
    objects: await createS3Objects({ bucket, spool }),
    keepsDiscarded,
    async count() {
      let count = 0;
      for await (const { versions } of listVersions(bucket, 'o/'))
        count += versions.filter(({ IsLatest: isLatest }) => !keepsDiscarded || isLatest === true).length;
      return count;
    },
    breakDown: way.cut,
    async [Symbol.asyncDispose]() {
      bucket.client.destroy();
      await way.cut();
    },
  };
};

describe.skipIf(!isTested)('Ceph’s S3', () => {
  testObjects('a bucket without versions', async () => storeUnderTest(await gateway.createBucket()));
  testObjects('a bucket with versions', async () => storeUnderTest(await gateway.createBucket({ versions: true })));
  testObjects('a bucket with Object Lock, in a folder of it', async () =>
    storeUnderTest({ ...(await gateway.createBucket({ lock: true })), prefix: 'portal/one/' }, true),
  );

  test('a large object, which is streamed, is stored and read as it is', async () => {
    const { objects } = await openS3Store(await gateway.createBucket({ versions: true }), spool);
    const bytes = randomBytes(20_000_000);
    const { key } = await objects.put(Readable.from([bytes]));
    expect((await buffer(await objects.open(key))).equals(bytes)).toBe(true);
  });

  test('a later version under the same name never shows, and does not hide the object', async () => {
    const settings = await gateway.createBucket({ versions: true });
    const { objects } = await openS3Store(settings, spool);
    const { key } = await objects.put(Readable.from([Buffer.from('published')]));
    const { client, bucket } = openBucket(settings);
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: `o/${key.slice(0, 36)}`, Body: 'forged' }));
    expect((await buffer(await objects.open(key))).toString()).toBe('published');
  });

  describe('the level of the lock', () => {
    /** Whether a DeleteObject with the version destroys what the portal has stored: as its key may, and with the right to bypass. */
    const destroys = async (settings: BucketSettings, bypass: boolean): Promise<boolean> => {
      const { objects } = await openS3Store(settings, spool);
      const { key } = await objects.put(Readable.from([Buffer.from('published')]));
      const [id, version] = key.split('@');
      const place = { Bucket: settings.bucket, Key: `o/${id}`, ...(version === undefined ? {} : { VersionId: version }) };
      const command = new DeleteObjectCommand({ ...place, ...(bypass ? { BypassGovernanceRetention: true } : {}) });
      await openBucket(settings)
        .client.send(command)
        .catch(() => undefined);
      return objects.open(key).then(
        (stream) => {
          stream.destroy();
          return false;
        },
        () => true,
      );
    };

    test.each([
      ['none', {}, [true, true]],
      ['soft', { versions: true }, [true, true]],
      ['compliance', { lock: true }, [false, false]],
      ['compliance', { lock: true, defaultMode: 'COMPLIANCE' }, [false, false]],
      ['governance', { lock: true, defaultMode: 'GOVERNANCE' }, [false, true]],
    ] as const)(
      'is %s of a bucket with %j, where one removal of a version, and one with bypass, destroy: %j',
      async (level, wish, destroyed) => {
        const settings = await gateway.createBucket(wish);
        expect(await probeLock(openBucket(settings))).toBe(level);
        expect([await destroys(settings, false), await destroys(settings, true)]).toEqual(destroyed);
      },
    );

    test('is proved by an object that was written as all are, and counts for all that is written later', async () => {
      const settings = await gateway.createBucket({ lock: true });
      await probeLock(openBucket(settings));
      const { objects } = await openS3Store({ ...settings, lockDays: 3 }, spool);
      const kept = new Date(Date.UTC(new Date().getUTCFullYear() + 4, 0, 1));
      const stored = [
        await objects.put(Readable.from([Buffer.from('of the shortest time')])),
        await objects.put(Readable.from([Buffer.from('kept')]), { keptUntil: kept }),
        await objects.put(Readable.from([Buffer.from('past')]), { keptUntil: new Date(0) }),
      ];
      const locks = await Promise.all(stored.map(({ key }) => objects.findLock(key)));
      expect(locks.map((lock) => lock?.mode)).toEqual(['compliance', 'compliance', 'compliance']);
      expect(locks.map((lock) => lock?.until)).toEqual(stored.map(({ lockedUntil }) => lockedUntil));
      expect(locks[1]?.until).toEqual(kept);
      for (const nth of [0, 2]) expect(locks[nth]?.until.getTime()).toBeGreaterThan(Date.now() + 2.9 * 86_400_000);
    });

    test('is not shortened by a lock that comes with an object: the bucket’s own default is the least', async () => {
      const settings = await gateway.createBucket({ lock: true });
      const { client } = openBucket(settings);
      const Rule = { DefaultRetention: { Mode: 'COMPLIANCE', Days: 30 } } as const;
      const ObjectLockConfiguration = { ObjectLockEnabled: 'Enabled', Rule } as const;
      await client.send(new PutObjectLockConfigurationCommand({ Bucket: settings.bucket, ObjectLockConfiguration }));
      const { objects } = await openS3Store(settings, spool);
      const { key } = await objects.put(Readable.from([Buffer.from('kept')]));
      expect((await objects.findLock(key))?.until.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    });

    test('is no level at all where the bucket has Object Lock and the key may not lock', async () => {
      const settings = await gateway.createBucket({ lock: true });
      const bucket = openBucket(settings);
      const Statement = [
        { Effect: 'Deny', Principal: '*', Action: ['s3:PutObject'], Resource: [`arn:aws:s3:::${settings.bucket}/lock-probe/*`] },
      ];
      const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
      await bucket.client.send(new PutBucketPolicyCommand({ Bucket: settings.bucket, Policy }));
      await expect(probeLock(bucket)).rejects.toMatchObject({ name: 'AccessDenied' });
    });

    test('is not raised by a key that may not remove anything', async () => {
      const settings = await gateway.createBucket({ versions: true });
      const bucket = openBucket(settings);
      const Statement = [
        {
          Effect: 'Deny',
          Principal: '*',
          Action: ['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:GetObjectRetention', 's3:GetBucketObjectLockConfiguration'],
          Resource: [`arn:aws:s3:::${settings.bucket}`, `arn:aws:s3:::${settings.bucket}/*`],
        },
      ];
      const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
      await bucket.client.send(new PutBucketPolicyCommand({ Bucket: settings.bucket, Policy }));
      expect(await probeLock(bucket)).toBe('soft');
    });
  });

  describe('an object that is locked', () => {
    const aDay = 86_400_000;

    const lockOne = async () => {
      const settings = await gateway.createBucket({ lock: true });
      const store = await openS3Store(settings, spool);
      expect(await store.probeLock()).toBe('compliance');
      const { key } = await store.objects.put(Readable.from([Buffer.from('kept')]));
      await store.objects.retain(key, new Date(Date.now() + 2 * aDay));
      return { settings, key, objects: store.objects };
    };

    test('stays when it is discarded, out of the list, and is named for a later attempt', async () => {
      const { objects, key, settings } = await lockOne();
      const free = await objects.put(Readable.from([Buffer.from('free')]));
      expect(await objects.discard(key)).toEqual(await objects.findLock(key));
      expect((await objects.discard(key))?.mode).toBe('compliance');
      expect((await buffer(await objects.open(key))).toString()).toBe('kept');
      expect((await collect(objects.list())).map((object) => object.key)).toEqual([free.key]);
      expect(await collect(objects.listDiscarded())).toEqual([key]);
      const pages = await collect(listVersions(openBucket(settings), 'o/'));
      expect(pages.flatMap(({ deleteMarkers }) => deleteMarkers)).toHaveLength(1);
    });

    test('is locked longer, and never shorter', async () => {
      const { objects, key, settings } = await lockOne();
      const until = new Date(Math.ceil((Date.now() + 3 * aDay) / 1_000) * 1_000);
      await objects.retain(key, until);
      await objects.retain(key, new Date(Date.now() + aDay));
      const [id, version] = key.split('@');
      const { Retention } = await openBucket(settings).client.send(
        new GetObjectRetentionCommand({ Bucket: settings.bucket, Key: `o/${id}`, VersionId: version }),
      );
      expect(Retention).toEqual({ Mode: 'COMPLIANCE', RetainUntilDate: until });
    });
  });

  test.each([{}, { versions: true }, { lock: true }])('eight first starts on a bucket with %j agree on its id', async (wish) => {
    const place = s3StorePlace(openBucket(await gateway.createBucket(wish)), 'bucket');
    expect(await place.read()).toBeUndefined();
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, nth) => {
        await place.make(`0000000${nth}-0000-4000-8000-000000000000`);
        return place.read();
      }),
    );
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^0000000\d-/);
  });
});
