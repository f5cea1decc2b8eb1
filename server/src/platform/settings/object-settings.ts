import { patternedText } from '@pergamin/contract';
import * as z from 'zod/mini';
import { isLoopback } from '#platform/http/host-guard.ts';
import { type ReadOf, wholeNumber } from './sending-settings.ts';

/** A bucket of an S3 service, and where in it the portal's objects are. */
export interface BucketAddress {
  /** Undefined: Amazon's, of the region. */
  readonly endpoint: string | undefined;
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPattern = /^(?:[\w.-]+\/)*$/;

/** Undefined when it is no such address. */
export const readBucketAddress = (written: string): BucketAddress | undefined => {
  if (!URL.canParse(written)) return undefined;
  const { protocol, username, password, search, hash, host, origin, pathname } = new URL(written);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return undefined;
  const parts = pathname.split('/').filter((part) => part !== '');
  const [bucket = '', ...folders] = protocol === 's3:' ? [host, ...parts] : parts;
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const isUsable = /^(?:s3|https?):$/.test(protocol) && bucketPattern.test(bucket) && prefixPattern.test(prefix);
  return isUsable ? { endpoint: protocol === 's3:' ? undefined : origin, bucket, prefix } : undefined;
};

/** The address of a bucket, as OBJECTS_URL has it. */
export const bucketAddress = z.string().check(
  z.refine((written) => readBucketAddress(written) !== undefined, {
    error: 'not an address like https://s3.example.com/bucket or s3://bucket',
  }),
  z.refine((written) => !/^http:/i.test(written) || !URL.canParse(written) || isLoopback(new URL(written)), {
    error: 'http is allowed on loopback only; use https',
  }),
);

const text = z.string().check(z.minLength(1));

export const objectSettingRows = {
  OBJECTS_URL: {
    doc: 'Bucket that documents are stored in instead of DATA_DIR/objects: https://HOST/BUCKET, or s3://BUCKET for Amazon’s, each with a folder after it if wished.',
    schema: bucketAddress,
    standard: undefined,
    public: true,
  },
  S3_ACCESS_KEY_ID: {
    doc: 'Access key of the bucket. Left out with the secret: the role of this machine, or what else the AWS SDK finds.',
    schema: text,
    standard: undefined,
  },
  S3_SECRET_ACCESS_KEY: { doc: 'Secret of the access key of the bucket.', schema: text, standard: undefined },
  S3_REGION: {
    doc: 'Region of the bucket. Must be set with s3://; other services mostly ignore it.',
    schema: patternedText(/^[a-z0-9-]{2,40}$/, { maxLength: 40 }),
    standard: undefined,
    public: true,
  },
  OBJECT_LOCK_DAYS: {
    doc: 'For so many days each object is locked from its first byte, where the bucket has Object Lock. Documents are locked until their retention ends, if that is later.',
    schema: wholeNumber(1, 36_500),
    standard: '1',
    public: true,
  },
} as const;

type Read = ReadOf<typeof objectSettingRows>;

/** How the bucket that the settings name is reached. */
export interface BucketSettings extends BucketAddress {
  readonly region: string;
  /** Undefined: what the SDK finds. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Days for which each object is locked at least, where the bucket locks objects. */
  readonly lockDays: number;
}

const isOfAmazon = (url: string): boolean => readBucketAddress(url)?.endpoint === undefined;

/** A sentence when the settings do not fit together. */
export const objectsProblem = ({ OBJECTS_URL: url, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret, S3_REGION: region }: Read) => {
  if (id !== undefined && secret === undefined) return 'S3_SECRET_ACCESS_KEY: missing beside S3_ACCESS_KEY_ID.';
  if (id === undefined && secret !== undefined) return 'S3_ACCESS_KEY_ID: missing beside S3_SECRET_ACCESS_KEY.';
  if (url !== undefined && region === undefined && isOfAmazon(url)) return 'S3_REGION: missing beside an OBJECTS_URL of s3://.';
  return undefined;
};

/** Of any bucket: the access key of the settings opens it. */
type S3Access = Pick<BucketSettings, 'region' | 'credentials' | 'lockDays'>;

export interface ObjectSettings {
  /** Undefined: objects are files in DATA_DIR. */
  readonly bucket: BucketSettings | undefined;
  readonly s3Access: S3Access;
}

export const objectSettingsOf = (read: Read): ObjectSettings => {
  const { OBJECTS_URL: url, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = read;
  const credentials = accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey };
  const s3Access = { region: read.S3_REGION ?? 'us-east-1', credentials, lockDays: read.OBJECT_LOCK_DAYS };
  const address = url === undefined ? undefined : readBucketAddress(url);
  return { bucket: address === undefined ? undefined : { ...address, ...s3Access }, s3Access };
};
