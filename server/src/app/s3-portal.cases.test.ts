import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isProved } from '@pergamin/ledger';
import { DeleteObjectCommand, GetObjectRetentionCommand, PutObjectRetentionCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '#platform/objects/open-store.ts';
import { openBucket } from '#platform/objects/s3-bucket.ts';
import { SettingsError } from '#platform/settings/settings.ts';
import type { BucketSettings } from '#platform/settings/object-settings.ts';
import { verifyByPolicy } from '#testing/ledger-damage.ts';
import { startDatabaseProxy } from '#testing/database-proxy.ts';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { hasRadosgw, type Radosgw, startRadosgw } from '#testing/radosgw.ts';
import { openBeside, startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

const isTested = isNightly && hasRadosgw();

describe.skipIf(!isTested)('a portal whose documents are in a bucket with Object Lock', () => {
  let gateway: Radosgw;
  let bucket: BucketSettings;
  let portal: TestPortal;
  let anna: TestClient;

  beforeAll(async () => {
    gateway = await startRadosgw();
    bucket = await gateway.createBucket({ lock: true, defaultMode: 'COMPLIANCE' });
    portal = await startTestPortal({
      environment: {
        NOTICES: 'never',
        RETENTION_YEARS: 'private=5',
        OBJECTS_URL: `${gateway.url}/${bucket.bucket}/documents`,
        S3_ACCESS_KEY_ID: gateway.credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: gateway.credentials.secretAccessKey,
      },
    });
    anna = await portal.signIn('6201', { cif: '8201' });
  }, 180_000);
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
  });

  const publish = async () => {
    const pdf = Buffer.from(aPdf({ text: `Umowa ${randomUUID()}` }));
    return { pdf, ...(await portal.publish({ cif: '8201', pdf })).body };
  };

  test('publishes, reads, checks and proves, and so does one that is started later', async () => {
    const { id, sha256, pdf } = await publish();
    expect((await anna.call('downloadDocument', { params: { id } })).bytes).toEqual(pdf);
    expect((await anna.call('checkDocument', { params: { id } })).body.status).toBe('SHA_CIF_OK');
    const receipt = (await anna.call('getReceipt', { params: { id } })).bytes;
    expect(isProved(await verifyByPolicy(portal, { sha256, receipt }))).toBe(true);
    expect((await portal.anonymous.call('getReadiness', {})).body).toEqual({ status: 'ok', lock: 'compliance', ledger: 'open' });

    const later = await openBeside(portal);
    const answer = await later.server.inject({
      url: `/api/protected/documents/download/${id}`,
      headers: { host: portal.settings.publicUrl.host, authorization: anna.token, cookie: anna.cookie },
    });
    expect([answer.statusCode, answer.rawPayload.equals(pdf)]).toEqual([200, true]);
    await later.close();
  });

  const placeOf = async (id: string) => {
    const row = await portal.db
      .selectFrom('document')
      .select(['object_key', 'retention_date'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const [name, version] = row.object_key.split('@');
    return { lastDay: row.retention_date, place: { Bucket: bucket.bucket, Key: `documents/o/${name}`, VersionId: version } };
  };

  test('P4: a document cannot be removed from the bucket before its retention ends, not with a bypass either, and is read all the same', async () => {
    const { id, pdf } = await publish();
    await portal.runJob('objects:lock');
    const { client } = openBucket(bucket);
    const { lastDay, place } = await placeOf(id);
    const { Retention } = await client.send(new GetObjectRetentionCommand(place));
    expect(Retention?.Mode).toBe('COMPLIANCE');
    // 23:00 or 22:00 of the last day in UTC is its end in Warsaw.
    expect(Retention?.RetainUntilDate?.toISOString()).toMatch(new RegExp(`^${lastDay}T2[23]:00`));
    for (const bypass of [{}, { BypassGovernanceRetention: true }])
      await expect(client.send(new DeleteObjectCommand({ ...place, ...bypass }))).rejects.toMatchObject({
        $metadata: { httpStatusCode: 403 },
      });
    expect((await anna.call('downloadDocument', { params: { id } })).bytes).toEqual(pdf);
  });

  test('P5: the lock follows a retention that is extended, and neither publisher nor bucket shortens it', async () => {
    const { id } = await publish();
    await portal.runJob('objects:lock');
    const { client } = openBucket(bucket);
    const { lastDay, place } = await placeOf(id);
    const later = `${Number(lastDay?.slice(0, 4)) + 3}-12-31`;
    const retain = async (until: string) => (await portal.publisher.call('retainDocument', { params: { id }, body: { until } })).status;
    expect(await retain(later)).toBeLessThan(300);
    await portal.runJob('objects:lock');
    const until = async () => (await client.send(new GetObjectRetentionCommand(place))).Retention?.RetainUntilDate;
    expect((await until())?.toISOString()).toMatch(new RegExp(`^${later}T2[23]:00`));
    expect(await retain(`${lastDay}`)).toBeGreaterThanOrEqual(400);
    const shorter = { Mode: 'COMPLIANCE', RetainUntilDate: new Date(Date.now() + 60_000) } as const;
    const shortened = client.send(new PutObjectRetentionCommand({ ...place, Retention: shorter, ChecksumAlgorithm: 'SHA256' }));
    await expect(shortened).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    expect((await until())?.toISOString()).toMatch(new RegExp(`^${later}T2[23]:00`));
  });

  test('sets an object aside that no row names, and leaves what is named', async () => {
    const { id } = await publish();
    const { objects } = await openStore({ bucket: { ...bucket, prefix: 'documents/' }, dataDir: portal.settings.dataDir });
    const { key } = await objects.put(Readable.from([Buffer.from('of nothing')]));
    const listAll = async (): Promise<string[]> => {
      const keys: string[] = [];
      for await (const object of objects.list()) keys.push(object.key);
      return keys;
    };
    const before = await listAll();
    portal.clock.advance(25 * 3_600_000);
    await portal.runJob('objects:sweep');
    expect(await listAll()).toEqual(before.filter((listed) => listed !== key));
    expect(await text(await objects.open(key))).toBe('of nothing');
    const client = await portal.signIn('6201');
    expect((await client.call('checkDocument', { params: { id } })).body.status).toBe('SHA_CIF_OK');
  });

  test('goes on by itself after the bucket was away: meanwhile documents answer STORAGE_ERROR, lists are read, and it is not ready', async () => {
    const { hostname, port } = new URL(gateway.url);
    await using way = await startDatabaseProxy({ host: hostname, port: Number(port), user: '', database: '' });
    const behind = await gateway.createBucket({ lock: true });
    await using through = await startTestPortal({
      environment: {
        NOTICES: 'never',
        OBJECTS_URL: `http://127.0.0.1:${way.connection.port}/${behind.bucket}`,
        S3_ACCESS_KEY_ID: gateway.credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: gateway.credentials.secretAccessKey,
      },
    });
    const client = await through.signIn('6301', { cif: '8301' });
    const pdf = Buffer.from(aPdf({ text: 'Umowa' }));
    const { id } = (await through.publish({ cif: '8301', uniqueName: 'before', pdf })).body;
    const other = Buffer.from(aPdf({ text: 'Aneks' }));
    await way.end();
    const refused = await client.call('downloadDocument', { params: { id } });
    expect([refused.status, refused.error?.code]).toEqual([503, 'STORAGE_ERROR']);
    expect((await client.call('listOwnDocuments', { body: { page: 0, size: 10 } })).body.total).toBe(1);
    expect((await through.publish({ cif: '8301', uniqueName: 'meanwhile', pdf: other })).error?.code).toBe('STORAGE_ERROR');
    await expect.poll(async () => (await through.anonymous.call('getReadiness', {})).status).toBe(503);
    await way.start();
    expect((await client.call('downloadDocument', { params: { id } })).bytes).toEqual(pdf);
    expect((await through.publish({ cif: '8301', uniqueName: 'meanwhile', pdf: other })).status).toBeLessThan(300);
    await expect.poll(async () => (await through.anonymous.call('getReadiness', {})).status).toBe(200);
    expect((await client.call('listOwnDocuments', { body: { page: 0, size: 10 } })).body.total).toBe(2);
  });

  test('does not start with the bucket of another database, or with one that cannot be reached', async () => {
    const beside = (settings: Partial<BucketSettings>) =>
      openBeside({ ...portal, settings: { ...portal.settings, bucket: { ...bucket, prefix: 'documents/', ...settings } } });
    await expect(beside({ prefix: 'other/' })).rejects.toThrow(SettingsError);
    await expect(beside({ endpoint: 'http://127.0.0.1:9' })).rejects.toThrow(/^OBJECTS_URL: \S+ cannot be used: ECONNREFUSED/);
    await expect(beside({ bucket: 'not-there' })).rejects.toThrow(/^OBJECTS_URL: \S+ cannot be used: NoSuchBucket/);
    const credentials = { accessKeyId: gateway.credentials.accessKeyId, secretAccessKey: 'wrong' };
    await expect(beside({ credentials })).rejects.toThrow(/^OBJECTS_URL: \S+ cannot be used: SignatureDoesNotMatch/);
  });
});
