import { hash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyTimestamp } from '#platform/timestamps/timestamps.ts';
import { anAuthority, issue, type Issued } from '#testing/certificates.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { isOpensslThere, startTimestampAuthority, type TimestampAuthority } from '#testing/timestamp-authority.ts';

if (!isOpensslThere) process.stderr.write('openssl is not installed: dating of checkpoints is not tested\n');

describe.runIf(isOpensslThere)('a checkpoint', () => {
  let folder: string;
  let root: Issued;
  let authority: TimestampAuthority;
  let portal: TestPortal;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pergamin-dating-'));
    root = await anAuthority('Time Root');
    const purpose = { oid: '1.3.6.1.5.5.7.3.8', critical: true };
    authority = await startTimestampAuthority(await issue({ name: 'Time Authority', issuer: root, kind: 'RSA', purpose }));
    const anchors = join(folder, 'anchors.pem');
    await writeFile(anchors, root.pem);
    portal = await startTestPortal({ environment: { TIMESTAMP_URL: authority.url.href, TIMESTAMP_ANCHORS: anchors } });
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await authority[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test('a checkpoint is dated once by the authority, and everyone can verify the token over the checkpoint’s bytes', async () => {
    await portal.addClient('1001', { cif: '7001' });
    await portal.publish({ cif: '7001', pdf: aPdf() });
    await portal.runJob('ledger:round');
    await portal.runJob('ledger:date');
    await portal.runJob('ledger:date');
    const { timestamp, size } = (await portal.anonymous.call('getLedger', {})).body;
    expect(await portal.db.selectFrom('ledger_timestamp').select('size').execute()).toEqual([{ size }]);
    const token = Buffer.from(timestamp?.token ?? '', 'base64');
    const sha256 = hash('sha256', timestamp?.note ?? '', 'buffer');
    expect(await verifyTimestamp({ token, sha256, anchors: root.pem })).toMatchObject({ authority: 'Time Authority' });
    expect(timestamp?.note).toContain(`\n${size}\n`);
  });
});
