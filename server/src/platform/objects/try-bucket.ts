import { HeadBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { BucketSettings } from '#platform/settings/object-settings.ts';
import { nameOf, openBucket } from './s3-bucket.ts';

/** Asks for the bucket and for one name in it; writes nothing. Rejects with what the SDK throws. */
export const tryBucket = async (
  settings: BucketSettings,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly isEmpty: boolean }> => {
  const { client, bucket, prefix } = openBucket(settings);
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: signal });
    const listed = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }), { abortSignal: signal });
    return { name: nameOf(settings), isEmpty: (listed.KeyCount ?? 0) === 0 };
  } finally {
    client.destroy();
  }
};
