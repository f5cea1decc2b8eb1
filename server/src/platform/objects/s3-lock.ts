import { randomUUID } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  GetObjectLockConfigurationCommand,
  GetObjectRetentionCommand,
  type ObjectLockRetentionMode,
} from '@aws-sdk/client-s3';
import type { LockLevel } from './lock-level.ts';
import { type Bucket, isAnswered, versionOf } from './s3-bucket.ts';
import { listVersions } from './s3-versions.ts';
import { putBytes } from './s3-writing.ts';

const folder = 'lock-probe/';
/** Longer than clocks of two machines differ. */
const lockedForMs = 5 * 60_000;
/** Answers of a service that does not do it, or of one that refuses this key. */
const unproven = [400, 403, 404, 405, 501] as const;

/**
 * Writes an object that is locked for minutes, asks how it is locked, and tries to remove it by every means: only a refusal of an object that the store itself calls
 * locked counts, as a refusal alone may be the want of a right. Objects of earlier probes are removed.
 * @throws when the bucket cannot be written or asked
 */
export const probeLock = async (bucket: Bucket): Promise<LockLevel> => {
  await removeProbes(bucket);
  const mode = await findMode(bucket);
  return (mode === undefined ? undefined : await probeMode(bucket, mode)) ?? ((await keepsVersions(bucket)) ? 'soft' : 'none');
};

/** How objects are to be locked: as the bucket does by itself, else for everybody. Undefined where it has no Object Lock. */
const findMode = async ({ client, bucket }: Bucket): Promise<ObjectLockRetentionMode | undefined> => {
  try {
    const { ObjectLockConfiguration: lock } = await client.send(new GetObjectLockConfigurationCommand({ Bucket: bucket }));
    return lock?.ObjectLockEnabled === 'Enabled' ? (lock.Rule?.DefaultRetention?.Mode ?? 'COMPLIANCE') : undefined;
  } catch (error) {
    // No lock was ever configured, the service knows of none, or this key may not ask: what cannot be shown does not count.
    if (isAnswered(error, ...unproven)) return undefined;
    throw error;
  }
};

const keepsVersions = async ({ client, bucket }: Bucket): Promise<boolean> => {
  const { Status: versioning } = await orUnproven(client.send(new GetBucketVersioningCommand({ Bucket: bucket })), {});
  return versioning === 'Enabled';
};

const orUnproven = async <Answer>(answer: Promise<Answer>, otherwise: Partial<Answer>): Promise<Partial<Answer>> => {
  try {
    return await answer;
  } catch (error) {
    if (isAnswered(error, ...unproven)) return otherwise;
    throw error;
  }
};

/** Undefined when nothing is locked. */
const probeMode = async (bucket: Bucket, mode: ObjectLockRetentionMode): Promise<LockLevel | undefined> => {
  const { client, bucket: Bucket, prefix } = bucket;
  const until = new Date(Date.now() + lockedForMs);
  const name = folder + randomUUID();
  const wish = { ObjectLockMode: mode, ObjectLockRetainUntilDate: until };
  const { VersionId: version } = await orUnproven(putBytes(bucket, { name, bytes: Buffer.from('is this locked?'), ...wish }), {});
  if (version === undefined || version === 'null') return undefined;
  const place = { Bucket, Key: prefix + name, VersionId: version };
  const isRefused = async (bypass: boolean): Promise<boolean> => {
    try {
      await client.send(new DeleteObjectCommand({ ...place, ...(bypass ? { BypassGovernanceRetention: true } : {}) }));
      return false;
    } catch (error) {
      if (isAnswered(error, 400, 403, 409)) return true;
      throw error;
    }
  };
  const { Retention: told } = await orUnproven(client.send(new GetObjectRetentionCommand(place)), {});
  if (told?.Mode === undefined || (told.RetainUntilDate?.getTime() ?? 0) < Date.now()) return undefined;
  if (!(await isRefused(false))) return undefined;
  return (await isRefused(true)) && told.Mode === 'COMPLIANCE' ? 'compliance' : 'governance';
};

/** Those whose lock has ended; the others at a later start. */
const removeProbes = async (bucket: Bucket): Promise<void> => {
  for await (const { versions, deleteMarkers } of listVersions(bucket, folder))
    for (const { Key, VersionId: version } of [...versions, ...deleteMarkers])
      await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.bucket, Key, ...versionOf(version) })).catch(() => {});
};

/** How objects are locked where the level is this one. */
export const modeOf = (level: LockLevel | undefined): ObjectLockRetentionMode | undefined =>
  level === 'compliance' ? 'COMPLIANCE' : level === 'governance' ? 'GOVERNANCE' : undefined;
