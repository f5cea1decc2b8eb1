import { hash } from 'node:crypto';
import {
  type BaseBlock,
  Constructed,
  fromBER,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set as Asn1Set,
  GeneralizedTime,
  UTCTime,
} from 'asn1js';
import {
  type AlgorithmIdentifier,
  type Attribute,
  ContentInfo,
  getCrypto,
  IssuerAndSerialNumber,
  RSASSAPSSParams,
  SignedData,
  type SignerInfo,
} from 'pkijs';
import { type KnownCertificate, readCertificate, requireStrongKey, subjectKeyIdOf } from './certificates.ts';
import { CmsError } from './cms-error.ts';

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  rsa: '1.2.840.113549.1.1.1',
  rsaPss: '1.2.840.113549.1.1.10',
} as const;

type Digest = 'sha256' | 'sha384' | 'sha512';

const digests: ReadonlyMap<string, Digest> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);
const webNames = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' } as const;
/** MD5, SHA-1 and SHA-224. */
const weakDigests = new Set(['1.2.840.113549.2.5', '1.3.14.3.2.26', '2.16.840.1.101.3.4.2.4']);

const signatures: ReadonlyMap<string, Digest> = new Map([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
]);
/** RSA and ECDSA with MD5, SHA-1 and SHA-224. */
const weakSignatures = new Set([
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.113549.1.1.14',
  '1.2.840.10045.4.1',
  '1.2.840.10045.4.3.1',
]);

/** With its certificates it has some kilobytes, and with lists of revoked ones some hundred. */
export const maxCmsBytes = 1024 * 1024;
const maxCertificates = 30;
const berLimits = { maxDepth: 40, maxNodes: 200_000, maxContentLength: maxCmsBytes };

export interface Signed {
  readonly contentType: string;
  /** Undefined: the signed data are elsewhere. */
  readonly content: Uint8Array | undefined;
  readonly certificates: readonly KnownCertificate[];
  readonly signer: SignerInfo;
}

/**
 * Reads a CMS message with one signer; `bytes` may end with zeros, as the room of a seal in a PDF does where `isPadded`. Verifies nothing. Throws
 * CmsError MALFORMED.
 */
export const readSigned = (bytes: Uint8Array, { isPadded = false } = {}): Signed => {
  if (bytes.length > maxCmsBytes) throw new CmsError('MALFORMED', 'The signature is too large');
  try {
    const { offset, result } = fromBER(bytes, berLimits);
    if (offset < 0) throw new Error(result.error);
    if (isPadded ? bytes.subarray(offset).some((byte) => byte !== 0) : offset !== bytes.length) throw new Error('data behind its end');
    const info = new ContentInfo({ schema: result });
    if (info.contentType !== oids.signedData) throw new Error('no signed data');
    // Before they are parsed, which changes the blocks.
    const certificates = certificatesOf(info.content);
    const { encapContentInfo, signerInfos } = new SignedData({ schema: info.content });
    const [signer, ...more] = signerInfos;
    if (signer === undefined || more.length > 0) throw new Error(`${signerInfos.length} signers`);
    const content = encapContentInfo.eContent?.getValue();
    return {
      contentType: encapContentInfo.eContentType,
      content: content === undefined ? undefined : new Uint8Array(content),
      certificates,
      signer,
    };
  } catch (error) {
    if (error instanceof CmsError) throw error;
    throw new CmsError('MALFORMED', 'The signature cannot be read', { cause: error });
  }
};

const certificatesOf = (content: BaseBlock): KnownCertificate[] => {
  if (!(content instanceof Sequence)) throw new Error('no sequence');
  const set = content.valueBlock.value.find(({ idBlock }) => idBlock.tagClass === 3 && idBlock.tagNumber === 0);
  const blocks = set instanceof Constructed ? set.valueBlock.value.filter((block) => block instanceof Sequence) : [];
  if (blocks.length > maxCertificates) throw new Error(`${blocks.length} certificates`);
  return blocks.map((block) => readCertificate(block.valueBeforeDecodeView.slice()));
};

/**
 * The signature holds: over this content, by the certificate that its signed attributes name (ESSCertIDv2), with SHA-256 or better. Gives that
 * certificate, which nothing is known of yet. `digest` hashes the content. Throws CmsError.
 */
export const verifySigner = async (signed: Signed, digest: (algorithm: Digest) => Uint8Array): Promise<KnownCertificate> => {
  const { signer, contentType, certificates } = signed;
  const algorithm = digestOf(signer.digestAlgorithm);
  const certificate = certificates.find((one) => isSignerOf(signer, one));
  if (certificate === undefined) throw new CmsError('WRONG_CERTIFICATE', 'The signature does not hold the certificate of its signer');
  const attributes = signer.signedAttrs?.attributes ?? [];
  const said = (oid: string): BaseBlock => onlyValueOf(attributes, oid);
  const saidType = said(oids.contentType);
  if (!(saidType instanceof ObjectIdentifier) || saidType.valueBlock.toString() !== contentType)
    throw new CmsError('MALFORMED', 'The signature names another kind of content');
  const saidDigest = said(oids.messageDigest);
  if (!(saidDigest instanceof OctetString) || !isSame(saidDigest.valueBlock.valueHexView, digest(algorithm)))
    throw new CmsError('ALTERED', 'The signed data are not what was signed');
  requireNamed(said(oids.signingCertificateV2), certificate);
  requireStrongKey(certificate);
  if (!(await isSignatureBy(certificate, signer, algorithm))) throw new CmsError('ALTERED', 'The signature is not that of its signer');
  return certificate;
};

/** What the signer says; PAdES writes it into the PDF instead. */
export const signingTimeOf = ({ signedAttrs }: SignerInfo): Date | undefined => {
  const value: unknown = signedAttrs?.attributes.find(({ type }) => type === oids.signingTime)?.values[0];
  const date = value instanceof UTCTime || value instanceof GeneralizedTime ? value.toDate() : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
};

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

const digestOf = ({ algorithmId }: AlgorithmIdentifier): Digest => {
  const digest = digests.get(algorithmId);
  if (digest !== undefined) return digest;
  if (weakDigests.has(algorithmId)) throw new CmsError('WEAK', 'The signature was made with SHA-1 or an older algorithm');
  throw new CmsError('UNSUPPORTED', `The signature was made with an algorithm that is not verified here (${algorithmId})`);
};

const isSignerOf = ({ sid }: SignerInfo, certificate: KnownCertificate): boolean => {
  if (sid instanceof IssuerAndSerialNumber)
    return sid.issuer.isEqual(certificate.parsed.issuer) && sid.serialNumber.isEqual(certificate.parsed.serialNumber);
  const id: unknown = sid?.valueBlock?.valueHexView ?? sid?.valueBlock?.value?.[0]?.valueBlock?.valueHexView;
  return id instanceof Uint8Array && subjectKeyIdOf(certificate) === Buffer.from(id).toString('hex');
};

/** Each of the attributes is there once, with one value. */
const onlyValueOf = (attributes: readonly Attribute[], oid: string): BaseBlock => {
  const [attribute, ...more] = attributes.filter(({ type }) => type === oid);
  const value: unknown = attribute?.values.length === 1 ? attribute.values[0] : undefined;
  if (more.length > 0 || !isBlock(value)) throw new CmsError('MALFORMED', `The signature lacks a signed attribute (${oid})`);
  return value;
};

const isBlock = (value: unknown): value is BaseBlock => typeof value === 'object' && value !== null && 'valueBlock' in value;

/** RFC 5035: SEQUENCE { certs SEQUENCE OF ESSCertIDv2 { hashAlgorithm DEFAULT sha256, certHash, issuerSerial OPTIONAL }, policies OPTIONAL }. */
const requireNamed = (value: BaseBlock, certificate: KnownCertificate): void => {
  const parts = childrenOf(childrenOf(childrenOf(value)[0])[0]);
  const [first, second] = parts;
  const algorithm = first instanceof Sequence ? childrenOf(first)[0] : undefined;
  const named = first instanceof OctetString ? first : second;
  const digest =
    algorithm instanceof ObjectIdentifier
      ? digests.get(algorithm.valueBlock.toString())
      : first instanceof OctetString
        ? 'sha256'
        : undefined;
  const isNamed =
    digest !== undefined && named instanceof OctetString && isSame(named.valueBlock.valueHexView, hash(digest, certificate.der, 'buffer'));
  if (!isNamed) throw new CmsError('WRONG_CERTIFICATE', 'The signature names another certificate than the one that it holds');
  const serial = childrenOf(parts.find((part, place) => place > 0 && part instanceof Sequence)).at(-1);
  if (serial instanceof Integer && !serial.isEqual(certificate.parsed.serialNumber))
    throw new CmsError('WRONG_CERTIFICATE', 'The signature names another certificate than the one that it holds');
};

const childrenOf = (block: BaseBlock | undefined): readonly BaseBlock[] =>
  block instanceof Sequence || block instanceof Asn1Set ? block.valueBlock.value : [];

const isSignatureBy = async ({ parsed }: KnownCertificate, signer: SignerInfo, digest: Digest): Promise<boolean> => {
  const { signatureAlgorithm, signature, signedAttrs } = signer;
  const used = signatureDigestOf(signatureAlgorithm, digest);
  // RFC 8933.
  if (used !== digest) throw new CmsError('MALFORMED', 'The signature mixes two hash algorithms');
  if (signedAttrs === undefined) throw new CmsError('MALFORMED', 'The signature has no signed attributes');
  const engine = getCrypto(true);
  try {
    return await engine.verifyWithPublicKey(
      signedAttrs.encodedValue,
      signature,
      parsed.subjectPublicKeyInfo,
      signatureAlgorithm,
      webNames[used],
    );
  } catch (error) {
    throw new CmsError('UNSUPPORTED', 'The signature is of a kind that is not verified here', { cause: error });
  }
};

const signatureDigestOf = ({ algorithmId, algorithmParams }: AlgorithmIdentifier, digest: Digest): Digest => {
  if (algorithmId === oids.rsa) return digest;
  if (algorithmId === oids.rsaPss) return digestOf(new RSASSAPSSParams({ schema: algorithmParams }).hashAlgorithm);
  if (weakSignatures.has(algorithmId)) throw new CmsError('WEAK', 'The signature was made with SHA-1 or an older algorithm');
  const used = signatures.get(algorithmId);
  if (used === undefined)
    throw new CmsError('UNSUPPORTED', `The signature was made with an algorithm that is not verified here (${algorithmId})`);
  return used;
};
