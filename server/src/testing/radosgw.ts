import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  CreateBucketCommand,
  type ObjectLockRetentionMode,
  PutBucketVersioningCommand,
  PutObjectLockConfigurationCommand,
} from '@aws-sdk/client-s3';
import { openBucket } from '#platform/objects/s3-bucket.ts';
import type { BucketSettings } from '#platform/settings/object-settings.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const programs = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'monmaptool'];

/** Said in the output where there is none: nothing is installed for a test. */
export const hasRadosgw = (): boolean => {
  const isThere = programs.every((program) => existsSync(join('/usr/bin', program)));
  if (!isThere)
    process.stdout.write('skipped: Debian’s radosgw is not installed (apt-get install radosgw ceph-mon ceph-osd ceph-common)\n');
  return isThere;
};

interface BucketWish {
  readonly versions?: boolean;
  readonly lock?: boolean;
  /** How each object is locked by itself, for a day. */
  readonly defaultMode?: ObjectLockRetentionMode;
}

export interface Radosgw extends AsyncDisposable {
  readonly url: string;
  /** Of a user who may do everything with the buckets made here. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** The settings of a new bucket. */
  createBucket(wish?: BucketWish): Promise<BucketSettings>;
}

const credentials = { accessKeyId: 'testkey', secretAccessKey: 'testsecret-0123456789' };

const configuration = (folder: string, ports: { mon: number; gateway: number }, fsid: string): string => `[global]
fsid = ${fsid}
mon host = v2:127.0.0.1:${ports.mon}
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind msgr1 = false
auth cluster required = none
auth service required = none
auth client required = none
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
pid file = ${folder}/$name.pid
mon data = ${folder}/mon
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
[client.rgw]
# With the secure mode, which is the default, the gateway hangs where nobody authenticates.
ms mon client mode = crc
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${ports.gateway}
rgw run sync thread = false
`;

const createBuckets =
  (url: string): Radosgw['createBucket'] =>
  async ({ versions = false, lock = false, defaultMode } = {}) => {
    const settings: BucketSettings = {
      endpoint: url,
      bucket: `test-${randomUUID()}`,
      prefix: '',
      region: 'us-east-1',
      credentials,
      lockDays: 1,
    };
    const { client, bucket: Bucket } = openBucket(settings);
    await client.send(new CreateBucketCommand({ Bucket, ...(lock ? { ObjectLockEnabledForBucket: true } : {}) }));
    if (versions) await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    if (defaultMode !== undefined) {
      const Rule = { DefaultRetention: { Mode: defaultMode, Days: 1 } };
      const ObjectLockConfiguration = { ObjectLockEnabled: 'Enabled' as const, Rule };
      await client.send(new PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration }));
    }
    client.destroy();
    return settings;
  };

/** The packaged S3 service of Ceph on this machine alone, in memory: a monitor, one store and the gateway. Takes some ten seconds. */
export const startRadosgw = async (): Promise<Radosgw> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-rgw-'));
  const ports = { mon: await freePort(), gateway: await freePort() };
  const [config, fsid, osd] = [join(folder, 'ceph.conf'), randomUUID(), randomUUID()];
  const children: ChildProcess[] = [];
  const start = (program: string, args: readonly string[]): void => {
    children.push(spawn(program, ['-f', '-c', config, ...args], { stdio: 'ignore' }));
  };
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const untilUp = async (what: string, isUp: () => Promise<unknown>): Promise<void> => {
    const deadline = Date.now() + 90_000;
    while (!(await isUp().then(Boolean, () => false))) {
      if (Date.now() > deadline || children.some(({ exitCode }) => exitCode !== null)) throw new Error(`${what} did not start`);
      await pause(200);
    }
  };
  const url = `http://127.0.0.1:${ports.gateway}`;
  try {
    for (const name of ['mon', 'osd', 'rgw']) await mkdir(join(folder, name));
    await writeFile(config, configuration(folder, ports, fsid));
    const map = join(folder, 'monmap');
    await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${ports.mon}]`, map]);
    await run('ceph-mon', ['-c', config, '-i', 'a', '--mkfs', '--monmap', map]);
    start('ceph-mon', ['-i', 'a']);
    await untilUp('ceph-mon', () => run('ceph', ['-c', config, 'mon', 'stat'], { timeout: 5_000 }));
    await run('ceph', ['-c', config, 'osd', 'new', osd]);
    await run('ceph-osd', ['-c', config, '-i', '0', '--mkfs', '--osd-uuid', osd]);
    start('ceph-osd', ['-i', '0']);
    const { accessKeyId, secretAccessKey } = credentials;
    const user = ['user', 'create', '--uid=test', '--display-name=test', `--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`];
    await run('radosgw-admin', ['-c', config, '-n', 'client.rgw', ...user]);
    start('radosgw', ['-n', 'client.rgw', '--no-mon-config']);
    await untilUp('radosgw', () => fetch(url));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, credentials, createBucket: createBuckets(url), [Symbol.asyncDispose]: stop };
};
