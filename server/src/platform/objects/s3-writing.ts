import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { PutObjectCommand, type PutObjectCommandInput, type PutObjectCommandOutput } from '@aws-sdk/client-s3';
import type { WholeFile } from './objects.ts';
import type { Bucket } from './s3-bucket.ts';
import { hashBytes } from './verified-bytes.ts';

type Wish = Omit<PutObjectCommandInput, 'Bucket' | 'Key' | 'Body'>;

/** Smaller files are sent from memory, which the SDK can send again after a failure. */
const maxBytesInMemory = 16 * 1024 * 1024;

const hasHeaders = (request: unknown): request is { readonly headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request;

/** The checksum is signed with the request: the service refuses bytes that are not those of `sha256`. */
const send = async (
  { client, bucket, prefix }: Bucket,
  { name, body, sha256, size, ...wish }: Wish & { name: string; body: Buffer | Readable; sha256: string; size: number },
): Promise<PutObjectCommandOutput> => {
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: prefix + name,
    Body: body,
    ContentLength: size,
    // Amazon asks for a checksum of its own where objects are locked.
    ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
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
  return client.send(command);
};

export const putBytes = (
  bucket: Bucket,
  { name, bytes, ...wish }: Wish & { name: string; bytes: Buffer },
): Promise<PutObjectCommandOutput> =>
  send(bucket, { name, body: bytes, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, ...wish });

/** Throws when the file is not what the caller knows of it. */
export const putFile = async (bucket: Bucket, { name, file }: { name: string; file: WholeFile }): Promise<PutObjectCommandOutput> => {
  const { path, sha256, size } = file;
  if (size <= maxBytesInMemory) {
    const bytes = await readFile(path);
    requireSame(file, { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length });
    return send(bucket, { name, body: bytes, sha256, size });
  }
  requireSame(file, await hashBytes(createReadStream(path)));
  return send(bucket, { name, body: createReadStream(path), sha256, size });
};

const requireSame = (file: WholeFile, found: { readonly sha256: string; readonly size: number }): void => {
  if (found.sha256 !== file.sha256 || found.size !== file.size) throw new Error('the file has other bytes than were written');
};
