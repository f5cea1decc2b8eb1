import { X509Certificate } from 'node:crypto';
import { fromBER } from 'asn1js';
import { BasicConstraints, Certificate, CertificateChainValidationEngine, ExtKeyUsage } from 'pkijs';
import { CmsError } from './cms-error.ts';
import { certificatesOfPem } from './pem.ts';

/** `der`: the very bytes, which hashes and comparisons are made of. */
export interface KnownCertificate {
  readonly der: Uint8Array;
  readonly parsed: Certificate;
}

const maxCertificateBytes = 64 * 1024;
const maxAnchors = 500;
/** A path of a few certificates; a set that is signed in circles would be searched without end. */
const maxIssuerSearches = 50;
const minRsaBits = 2_048;

const oids = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  extKeyUsage: '2.5.29.37',
};

/** Throws CmsError MALFORMED. */
export const readCertificate = (der: Uint8Array): KnownCertificate => {
  try {
    if (der.length > maxCertificateBytes) throw new Error('too large');
    const { offset, result } = fromBER(der);
    if (offset !== der.length) throw new Error('not one certificate');
    return { der, parsed: new Certificate({ schema: result }) };
  } catch (error) {
    throw new CmsError('MALFORMED', 'A certificate cannot be read', { cause: error });
  }
};

/** The certificates of a PEM file; at least one. Throws CmsError MALFORMED. */
export const readAnchors = (pem: string): readonly KnownCertificate[] => {
  const found = certificatesOfPem(pem);
  if (found.length === 0 || found.length > maxAnchors)
    throw new CmsError('MALFORMED', `A PEM file of trust anchors holds 1 to ${maxAnchors} certificates`);
  return found.map(readCertificate);
};

const extensionOf = ({ parsed }: KnownCertificate, oid: string) => parsed.extensions?.find(({ extnID }) => extnID === oid);

/** Hexadecimal; undefined when the certificate has none. */
export const subjectKeyIdOf = (certificate: KnownCertificate): string | undefined => {
  const value = extensionOf(certificate, oids.subjectKeyId)?.extnValue.valueBlock.valueHexView;
  // An octet string in an octet string: two bytes of header before the id.
  return value === undefined || value.length < 3 ? undefined : Buffer.from(value.subarray(2)).toString('hex');
};

/** The certificate may sign documents: its key usage, where it has one, says so. */
export const maySign = (certificate: KnownCertificate): boolean => {
  const extension = extensionOf(certificate, oids.keyUsage);
  if (extension === undefined) return true;
  // DER of a bit string: 03, length, unused bits, bits. Digital signature and content commitment are the first two.
  const [tag, , , bits = 0] = extension.extnValue.valueBlock.valueHexView;
  return tag === 3 && (bits & 0b1100_0000) !== 0;
};

/** It has exactly this extended usage, and the extension is critical (RFC 3161, 2.3). */
export const isOnlyFor = (certificate: KnownCertificate, purpose: string): boolean => {
  const extension = extensionOf(certificate, oids.extKeyUsage);
  const usage: unknown = extension?.parsedValue;
  return extension?.critical === true && usage instanceof ExtKeyUsage && usage.keyPurposes.length === 1 && usage.keyPurposes[0] === purpose;
};

/** The common name, else the organisation, else all of the subject. */
export const nameOf = ({ parsed }: KnownCertificate): string => {
  const valueOf = (oid: string): string | undefined => {
    const value: unknown = parsed.subject.typesAndValues.find(({ type }) => type === oid)?.value.valueBlock.value;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const name = valueOf('2.5.4.3') ?? valueOf('2.5.4.10') ?? 'a signer without a name';
  return name.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ').slice(0, 200);
};

const isValidAt = ({ parsed }: KnownCertificate, at: Date): boolean =>
  parsed.notBefore.value.getTime() <= at.getTime() && at.getTime() <= parsed.notAfter.value.getTime();

/** Throws CmsError WEAK. */
export const requireStrongKey = ({ der }: KnownCertificate): void => {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = new X509Certificate(der).publicKey;
  if (type?.startsWith('rsa') === true && (details?.modulusLength ?? 0) < minRsaBits)
    throw new CmsError('WEAK', `The RSA key of the signer is shorter than ${minRsaBits} bits`);
};

const isSame = (one: KnownCertificate, other: KnownCertificate): boolean => Buffer.compare(one.der, other.der) === 0;

const mayIssue = (certificate: Certificate, below: number): boolean => {
  const constraints: unknown = certificate.extensions?.find(({ extnID }) => extnID === oids.basicConstraints)?.parsedValue;
  const longest: unknown = constraints instanceof BasicConstraints ? constraints.pathLenConstraint : undefined;
  return typeof longest !== 'number' || below <= longest;
};

interface Chain {
  readonly signer: KnownCertificate;
  /** Came with the signature. */
  readonly others: readonly KnownCertificate[];
  readonly anchors: readonly KnownCertificate[];
  readonly at: Date;
}

/**
 * A path of signatures from the signer to an anchor, all valid at this moment; an anchor may be the signer's own certificate. Revocation is not looked at.
 * Throws CmsError UNTRUSTED and OUT_OF_VALIDITY.
 */
export const requireTrusted = async ({ signer, others, anchors, at }: Chain): Promise<void> => {
  if (!anchors.some((anchor) => isSame(anchor, signer))) return requirePath({ signer, others, anchors, at });
  if (!isValidAt(signer, at)) throw outOfValidity();
};

const untrusted = (cause?: unknown): CmsError =>
  new CmsError('UNTRUSTED', 'The certificate of the signer leads to none of the trust anchors', { cause });

const outOfValidity = (): CmsError => new CmsError('OUT_OF_VALIDITY', 'A certificate of the signer had expired, or was not valid yet');

const outOfValidityCode = 8;

const requirePath = async ({ signer, others, anchors, at }: Chain): Promise<void> => {
  const engine = new CertificateChainValidationEngine({
    trustedCerts: anchors.map(({ parsed }) => parsed),
    // The engine takes the last one for the signer's.
    certs: [...others.filter((other) => !isSame(other, signer)).map(({ parsed }) => parsed), signer.parsed],
    checkDate: at,
  });
  let searches = 0;
  engine.findIssuer = async (...given) => {
    searches += 1;
    if (searches > maxIssuerSearches) throw new Error('too many certificates to search');
    return engine.defaultFindIssuer(...given);
  };
  const { result, resultCode, resultMessage, certificatePath = [] } = await engine.verify();
  if (resultCode === outOfValidityCode) throw outOfValidity();
  if (!result || certificatePath.some((certificate, place) => !mayIssue(certificate, place - 1))) throw untrusted(new Error(resultMessage));
};
