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
import { sendBatch, untilState } from '#testing/batches.ts';
import { verifyByPolicy } from '#testing/ledger-damage.ts';
import { startDatabaseProxy } from '#testing/database-proxy.ts';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { hasRadosgw, type Radosgw, startRadosgw } from '#testing/radosgw.ts';
import { openBeside, startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

const isTested = isNightly && hasRadosgw();

describe.skipIf(!isTested).each([{}, { defaultMode: 'COMPLIANCE' }] as const)(
  'a portal whose documents are in a bucket with Object Lock and %j',
  (rule) => {
    let gateway: Radosgw;
    let bucket: BucketSettings;
    let portal: TestPortal;
    let anna: TestClient;

    beforeAll(async () => {
      gateway = await startRadosgw();
      bucket = await gateway.createBucket({ lock: true, ...rule });
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

    const lockOf = async (client: Pick<TestClient, 'call'>, id: string) =>
      (await client.call('getDocumentLock', { params: { id } })).body.lock;

    test('tells its owner until when a document is locked, everybody that of a public one, and nobody else anything', async () => {
      const own = await publish();
      const open = (await portal.publish({ type: 'PUBLIC', pdf: aPdf({ text: randomUUID() }) })).body;
      const stranger = await portal.signIn('6299', { cif: '8299' });
      const { place } = await placeOf(own.id);
      const { Retention } = await openBucket(bucket).client.send(new GetObjectRetentionCommand(place));
      expect(await lockOf(anna, own.id)).toEqual({ mode: 'compliance', until: Retention?.RetainUntilDate?.getTime() });
      // Of a class without a retention, for the shortest time.
      expect((await lockOf(portal.anonymous, open.id))?.until).toBeLessThan(Date.now() + 2 * 86_400_000);
      for (const client of [stranger, portal.anonymous])
        expect((await client.call('getDocumentLock', { params: { id: own.id } })).error?.code).toBe('DOCUMENT_NOT_FOUND_ERROR');
    });

    test('a batch locks its documents from their first byte, and until their retention ends once they are published', async () => {
      const batch = await sendBatch(portal.publisher, 'Umowy', [{ uniqueName: 'in-a-batch', cif: '8201' }]);
      const { id } = await portal.db.selectFrom('document').select('id').where('unique_name', '=', 'in-a-batch').executeTakeFirstOrThrow();
      const { place } = await placeOf(id);
      const { client } = openBucket(bucket);
      const until = async () => (await client.send(new GetObjectRetentionCommand(place))).Retention?.RetainUntilDate;
      expect((await until())?.getTime()).toBeLessThan(Date.now() + 2 * 86_400_000);
      await expect(client.send(new DeleteObjectCommand(place))).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
      await portal.publisher.call('commitBatch', { params: { id: batch }, body: { documents: 1 } });
      await untilState(portal, batch, { state: 'PUBLISHED' });
      const { lastDay } = await placeOf(id);
      await expect.poll(async () => (await until())?.toISOString(), { timeout: 10_000 }).toMatch(new RegExp(`^${lastDay}T2[23]:00`));
    });

    test('a document that is forgotten early says that its bytes stay until the lock ends, and is never locked again', async () => {
      const { id } = await publish();
      const { place } = await placeOf(id);
      await portal.publisher.call('retainDocument', { params: { id }, body: { until: '2060-12-31' } });
      const early = { reason: 'a test', beforeRetention: true };
      await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'DELETED', ...early } });
      const forgotten = (await portal.publisher.call('forgetDocument', { params: { id }, body: early })).body;
      await portal.runJob('objects:lock');
      const { client } = openBucket(bucket);
      const { Retention } = await client.send(new GetObjectRetentionCommand(place));
      // Five years, and not until 2060.
      expect(Retention?.RetainUntilDate?.getTime()).toBe(forgotten.lockedUntil);
      expect(Retention?.RetainUntilDate?.getUTCFullYear()).toBeLessThan(2040);
      const life = async () => (await portal.publisher.call('getDocumentLife', { params: { id } })).body;
      for (const round of [1, 2]) {
        await portal.runJob('documents:remove');
        await portal.runJob('objects:lock');
        const { document, items } = await life();
        expect([round, document.removedAt, document.lockedUntil]).toEqual([round, null, forgotten.lockedUntil]);
        expect(items.map(({ event }) => event)).not.toContain('REMOVED');
      }
      expect((await client.send(new GetObjectRetentionCommand(place))).Retention?.RetainUntilDate?.getTime()).toBe(forgotten.lockedUntil);
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
  },
);
