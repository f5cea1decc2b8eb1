import {
  type DeleteMarkerEntry,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type ObjectVersion,
} from '@aws-sdk/client-s3';
import type { Bucket } from './s3-bucket.ts';
import { orStorageError } from './storage-error.ts';

interface VersionsPage {
  readonly versions: readonly ObjectVersion[];
  readonly deleteMarkers: readonly DeleteMarkerEntry[];
}

/** All versions below `folder` of the portal's place in the bucket, a thousand at a time. Those of one name come newest first. */
export const listVersions = async function* ({ client, bucket, prefix }: Bucket, folder: string): AsyncGenerator<VersionsPage> {
  let next: { KeyMarker?: string; VersionIdMarker?: string } | undefined = {};
  while (next !== undefined) {
    const command: ListObjectVersionsCommand = new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix + folder, ...next });
    const page: ListObjectVersionsCommandOutput = await orStorageError(() => client.send(command));
    yield { versions: page.Versions ?? [], deleteMarkers: page.DeleteMarkers ?? [] };
    const { IsTruncated: isMore, NextKeyMarker: key, NextVersionIdMarker: version } = page;
    next =
      isMore === true && key !== undefined ? { KeyMarker: key, ...(version === undefined ? {} : { VersionIdMarker: version }) } : undefined;
  }
};
