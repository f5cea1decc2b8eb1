import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { BucketSettings } from '#platform/settings/object-settings.ts';

/** A place in a bucket, and the way to it. */
export interface Bucket {
  readonly client: S3Client;
  readonly bucket: string;
  /** What the names of all objects of this portal begin with. */
  readonly prefix: string;
  /** Days for which each object is locked at least, where the bucket locks objects. */
  readonly lockDays: number;
}

/** A reader that is slower than its download holds a connection as long as it reads. */
const maxConnections = 256;
const connectTimeoutMs = 5_000;
const idleTimeoutMs = 60_000;

export const openBucket = ({ endpoint, bucket, prefix, region, credentials, lockDays }: BucketSettings): Bucket => ({
  client: new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    // Services other than Amazon's refuse the trailer that the SDK would add, or store it with the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: idleTimeoutMs,
      httpAgent: { keepAlive: true, maxSockets: maxConnections },
      httpsAgent: { keepAlive: true, maxSockets: maxConnections },
    },
  }),
  bucket,
  prefix,
  lockDays,
});

/** Where the bytes of documents are, as people read it. */
export const nameOf = ({ endpoint, bucket, prefix }: BucketSettings): string =>
  endpoint === undefined ? `s3://${bucket}/${prefix}` : `${endpoint}/${bucket}/${prefix}`;

/** Whether the service answered with one of these statuses. */
export const isAnswered = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof S3ServiceException && statuses.includes(error.$metadata.httpStatusCode ?? 0);

/** The version that a name is followed by; none in a bucket without versions. */
export const versionOf = (version: string | undefined): { VersionId?: string } =>
  version === undefined || version === 'null' ? {} : { VersionId: version };
