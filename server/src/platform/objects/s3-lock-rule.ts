import { type DefaultRetention, GetObjectLockConfigurationCommand, type ObjectLockRetentionMode } from '@aws-sdk/client-s3';
import { type Bucket, isAnswered } from './s3-bucket.ts';

/** How the portal locks what it writes. */
interface LockRule {
  readonly mode: ObjectLockRetentionMode;
  /** The bucket's own: a lock that comes with an object takes its place, and may not be shorter. */
  readonly minMs: number;
}

export interface Lock {
  readonly mode: ObjectLockRetentionMode;
  readonly until: Date;
}

const dayMs = 86_400_000;
/** Answers of a service that does not do it, or of one that refuses this key. */
export const unproven = [400, 403, 404, 405, 501] as const;

/** Of each client: a bucket's Object Lock cannot be switched off again, and is asked for once. */
const rules = new WeakMap<Bucket['client'], Promise<LockRule | undefined>>();

/** Undefined where the bucket has no Object Lock. */
export const findLockRule = (bucket: Bucket): Promise<LockRule | undefined> => {
  const known = rules.get(bucket.client);
  if (known !== undefined) return known;
  const asked = askForRule(bucket);
  rules.set(bucket.client, asked);
  asked.catch(() => rules.delete(bucket.client));
  return asked;
};

const askForRule = async ({ client, bucket }: Bucket): Promise<LockRule | undefined> => {
  try {
    const { ObjectLockConfiguration: lock } = await client.send(new GetObjectLockConfigurationCommand({ Bucket: bucket }));
    if (lock?.ObjectLockEnabled !== 'Enabled') return undefined;
    const own = lock.Rule?.DefaultRetention;
    return { mode: own?.Mode ?? 'COMPLIANCE', minMs: daysOf(own) * dayMs };
  } catch (error) {
    // No lock was ever configured, the service knows of none, or this key may not ask: what cannot be shown does not count.
    if (isAnswered(error, ...unproven)) return undefined;
    throw error;
  }
};

const daysOf = ({ Days: days = 0, Years: years = 0 }: DefaultRetention = {}): number => days + 366 * years;

/** The lock that an object is written with: until then, and for the shortest time of bucket and settings at least. */
export const lockFor = async (bucket: Bucket, keptUntil?: Date): Promise<Lock | undefined> => {
  const rule = await findLockRule(bucket);
  if (rule === undefined) return undefined;
  const shortest = Date.now() + Math.max(rule.minMs, bucket.lockDays * dayMs);
  // Services keep whole seconds.
  return { mode: rule.mode, until: new Date(Math.ceil(Math.max(shortest, keptUntil?.getTime() ?? 0) / 1_000) * 1_000) };
};
