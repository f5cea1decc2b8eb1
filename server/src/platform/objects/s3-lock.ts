import { randomUUID } from 'node:crypto';
import { DeleteObjectCommand, GetBucketVersioningCommand, GetObjectRetentionCommand, type ObjectLockRetention } from '@aws-sdk/client-s3';
import type { LockLevel } from './lock-level.ts';
import type { ObjectLock } from './objects.ts';
import { type Bucket, isAnswered, versionOf } from './s3-bucket.ts';
import { findLockRule, unproven } from './s3-lock-rule.ts';
import { listVersions } from './s3-versions.ts';
import { putBytes } from './s3-writing.ts';

const folder = 'lock-probe/';
const dayMs = 86_400_000;
/** Answers for an object without a lock, or of a service that knows of none. */
const withoutLock = [400, 404, 405, 501] as const;

/** A version of an object. */
interface Place {
  readonly Bucket: string;
  readonly Key: string;
  readonly VersionId?: string;
}

/**
 * Writes an object as all objects are written, asks how it is locked, and tries to remove it by every means: only a refusal of an object that the store itself calls
 * locked counts, as a refusal alone may be the want of a right. Objects of earlier probes are removed.
 * @throws when the bucket cannot be written or asked; also when it has Object Lock, and this key may not lock
 */
export const probeLock = async (bucket: Bucket): Promise<LockLevel> => {
  await removeProbes(bucket);
  const level = (await findLockRule(bucket)) === undefined ? undefined : await probeWritten(bucket);
  return level ?? ((await keepsVersions(bucket)) ? 'soft' : 'none');
};

const keepsVersions = async ({ client, bucket }: Bucket): Promise<boolean> => {
  const answer = await orUnproven(client.send(new GetBucketVersioningCommand({ Bucket: bucket })), undefined);
  return answer?.Status === 'Enabled';
};

const orUnproven = async <Answer, Otherwise>(answer: Promise<Answer>, otherwise: Otherwise): Promise<Answer | Otherwise> => {
  try {
    return await answer;
  } catch (error) {
    if (isAnswered(error, ...unproven)) return otherwise;
    throw error;
  }
};

/** Undefined when nothing is locked. */
const probeWritten = async (bucket: Bucket): Promise<LockLevel | undefined> => {
  const { client, bucket: Bucket, prefix } = bucket;
  const name = folder + randomUUID();
  const { version, lockedUntil } = await putBytes(bucket, { name, bytes: Buffer.from('is this locked?') });
  if (version === undefined || version === 'null' || lockedUntil === undefined) return undefined;
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
  const told = await orUnproven(readLock(bucket, place), undefined);
  if (told === undefined || told.until < lockedUntil) return undefined;
  if (!(await isRefused(false))) return undefined;
  return (await isRefused(true)) && told.mode === 'compliance' ? 'compliance' : 'governance';
};

/**
 * As the service tells it; undefined where it tells of none that still lasts.
 * @throws when this key may not ask
 */
export const readLock = async ({ client }: Bucket, place: Place): Promise<ObjectLock | undefined> => {
  const { Mode: mode, RetainUntilDate: until } = await askForLock(client, place);
  if (mode === undefined || until === undefined || until.getTime() < Date.now()) return undefined;
  return { mode: mode === 'COMPLIANCE' ? 'compliance' : 'governance', until };
};

const askForLock = async (client: Bucket['client'], place: Place): Promise<ObjectLockRetention> => {
  try {
    return (await client.send(new GetObjectRetentionCommand(place))).Retention ?? {};
  } catch (error) {
    if (isAnswered(error, ...withoutLock)) return {};
    throw error;
  }
};

/** Those whose lock may have ended; the others at a later start. */
const removeProbes = async (bucket: Bucket): Promise<void> => {
  const before = new Date(Date.now() - bucket.lockDays * dayMs);
  for await (const { versions, deleteMarkers } of listVersions(bucket, folder))
    for (const { Key, VersionId: version, LastModified: at } of [...versions, ...deleteMarkers])
      if (at !== undefined && at < before)
        await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.bucket, Key, ...versionOf(version) })).catch(() => {});
};
