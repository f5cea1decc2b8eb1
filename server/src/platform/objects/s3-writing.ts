import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { PutObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3';
import type { WholeFile } from './objects.ts';
import type { Bucket } from './s3-bucket.ts';
import { lockFor } from './s3-lock-rule.ts';
import { hashBytes } from './verified-bytes.ts';

type Wish = Pick<PutObjectCommandInput, 'IfNoneMatch'>;

/** The version that was written, and until when it is locked. */
interface Written {
  readonly version: string | undefined;
  readonly lockedUntil?: Date;
}

/** Smaller files are sent from memory, which the SDK can send again after a failure. */
const maxBytesInMemory = 16 * 1024 * 1024;

const hasHeaders = (request: unknown): request is { readonly headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request;

interface Sent extends Wish {
  readonly name: string;
  readonly body: Buffer | Readable;
  readonly sha256: string;
  readonly size: number;
  readonly keptUntil?: Date | undefined;
}

/**
 * The one place that writes objects: with a lock of its own, as a bucket with Object Lock locks nothing by itself unless it has a rule. The checksum is signed with
 * the request: the service refuses bytes that are not those of `sha256`.
 */
const send = async (target: Bucket, { name, body, sha256, size, keptUntil, ...wish }: Sent): Promise<Written> => {
  const { client, bucket, prefix } = target;
  const lock = await lockFor(target, keptUntil);
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: prefix + name,
    Body: body,
    ContentLength: size,
    // Amazon asks for a checksum of its own where objects are locked.
    ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
    ...(lock === undefined ? {} : { ObjectLockMode: lock.mode, ObjectLockRetainUntilDate: lock.until }),
    ...wish,
  });
  command.middlewareStack.add(
    (next) => (args) => {
      if (!hasHeaders(args.request)) throw new Error('the request has no headers');
      args.request.headers['x-amz-content-sha256'] = sha256;
      return next(args);
    },
    { step: 'build', name: 'knownChecksum' },
  );
  const { VersionId: version } = await client.send(command);
  return { version, ...(lock === undefined ? {} : { lockedUntil: lock.until }) };
};

export const putBytes = (bucket: Bucket, { name, bytes, ...wish }: Wish & { name: string; bytes: Buffer }): Promise<Written> =>
  send(bucket, { name, body: bytes, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, ...wish });

/** Throws when the file is not what the caller knows of it. */
export const putFile = async (bucket: Bucket, { name, file }: { name: string; file: WholeFile }): Promise<Written> => {
  const { path, sha256, size, keptUntil } = file;
  if (size <= maxBytesInMemory) {
    const bytes = await readFile(path);
    requireSame(file, { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length });
    return send(bucket, { name, body: bytes, sha256, size, keptUntil });
  }
  requireSame(file, await hashBytes(createReadStream(path)));
  return send(bucket, { name, body: createReadStream(path), sha256, size, keptUntil });
};

const requireSame = (file: WholeFile, found: { readonly sha256: string; readonly size: number }): void => {
  if (found.sha256 !== file.sha256 || found.size !== file.size) throw new Error('the file has other bytes than were written');
};
