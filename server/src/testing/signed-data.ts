import { hash, randomBytes, webcrypto } from 'node:crypto';
import { GeneralizedTime, Integer, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  getCrypto,
  IssuerAndSerialNumber,
  MessageImprint,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TSTInfo,
} from 'pkijs';
import type { Issued } from './certificates.ts';

interface Wish {
  readonly signer: Issued;
  /** The certificate that the signed attribute names; null: none. Left out: the signer's. */
  readonly named?: Issued | null;
  readonly others?: readonly Issued[];
  readonly digest?: 'SHA-1' | 'SHA-256' | 'SHA-512';
  /** In the signed attributes. Left out: none, as PAdES has it in the PDF. */
  readonly signedOn?: Date;
}

const oids = {
  data: '1.2.840.113549.1.7.1',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  signedData: '1.2.840.113549.1.7.2',
  sha256: '2.16.840.1.101.3.4.2.1',
};

const digestOf = (name: NonNullable<Wish['digest']>, bytes: Uint8Array): Buffer =>
  hash(name.replace('-', '').toLowerCase(), bytes, 'buffer');
const octets = (bytes: Uint8Array): OctetString => new OctetString({ valueHex: bytes.slice() });

const attributesOf = ({ signer, named = signer, digest = 'SHA-256', signedOn }: Wish, type: string, content: Uint8Array): Attribute[] => {
  const certificateId = (of: Issued) =>
    new Sequence({ value: [new Sequence({ value: [new Sequence({ value: [octets(digestOf('SHA-256', of.der))] })] })] });
  return [
    new Attribute({ type: '1.2.840.113549.1.9.3', values: [new ObjectIdentifier({ value: type })] }),
    new Attribute({ type: '1.2.840.113549.1.9.4', values: [octets(digestOf(digest, content))] }),
    ...(named === null ? [] : [new Attribute({ type: '1.2.840.113549.1.9.16.2.47', values: [certificateId(named)] })]),
    ...(signedOn === undefined
      ? []
      : [new Attribute({ type: '1.2.840.113549.1.9.5', values: [new GeneralizedTime({ valueDate: signedOn })] })]),
  ];
};

/** Keys of RSA are bound to a hash algorithm. */
const keyFor = async (key: webcrypto.CryptoKey, digest: string): Promise<webcrypto.CryptoKey> => {
  const { name } = key.algorithm;
  if (name === 'ECDSA') return key;
  return webcrypto.subtle.importKey('pkcs8', await webcrypto.subtle.exportKey('pkcs8', key), { name, hash: digest }, true, ['sign']);
};

const signBytes = async (wish: Wish, content: Uint8Array, encapsulated: { type: string; isHeld: boolean }): Promise<Uint8Array> => {
  const { signer, others = [], digest = 'SHA-256' } = wish;
  const { type, isHeld } = encapsulated;
  const data = new SignedData({
    version: 3,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: type, ...(isHeld ? { eContent: octets(content) } : {}) }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: signer.certificate.issuer, serialNumber: signer.certificate.serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes: attributesOf(wish, type, content) }),
      }),
    ],
    certificates: [signer, ...others].map(({ certificate }) => certificate),
  });
  await data.sign(await keyFor(signer.key, digest), 0, digest, content.slice().buffer, getCrypto(true));
  return new Uint8Array(new ContentInfo({ contentType: oids.signedData, content: data.toSchema(true) }).toSchema().toBER());
};

/** A detached CAdES signature over these bytes. */
export const signDetached = async (wish: Wish & { readonly content: Uint8Array }): Promise<Uint8Array> =>
  signBytes(wish, wish.content, { type: oids.data, isHeld: false });

/** The token of an RFC 3161 time-stamp. */
export const signTimestamp = async ({
  sha256,
  at = new Date(),
  ...wish
}: Wish & { sha256: Uint8Array; at?: Date }): Promise<Uint8Array> => {
  const info = new TSTInfo({
    version: 1,
    policy: '1.3.6.1.4.1.55555.1',
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: oids.sha256 }),
      hashedMessage: octets(sha256),
    }),
    serialNumber: new Integer({ valueHex: Buffer.concat([Buffer.of(1), randomBytes(7)]) }),
    genTime: at,
  });
  return signBytes(wish, new Uint8Array(info.toSchema().toBER()), { type: oids.tstInfo, isHeld: true });
};
