import { webcrypto } from 'node:crypto';
import { BitString, Integer, OctetString, PrintableString } from 'asn1js';
import { AttributeTypeAndValue, BasicConstraints, Certificate, ExtKeyUsage, Extension, getCrypto } from 'pkijs';

export interface Issued {
  readonly certificate: Certificate;
  readonly key: webcrypto.CryptoKey;
  readonly der: Uint8Array;
  readonly pem: string;
  /** PKCS #8. */
  readonly keyPem: string;
}

interface Wish {
  readonly name: string;
  /** Left out: it signs itself. */
  readonly issuer?: Issued;
  readonly isAuthority?: boolean;
  readonly kind?: 'RSA' | 'ECDSA' | 'RSA-PSS' | 'short RSA';
  /** Left out: digital signature; null: the extension is left out. */
  readonly usage?: 'digitalSignature' | 'keyEncipherment' | null;
  readonly purpose?: { readonly oid: string; readonly critical: boolean };
  readonly from?: Date;
  readonly until?: Date;
  /** Of an authority: how many authorities may be below it. */
  readonly authoritiesBelow?: number;
}

const dayMs = 86_400_000;
const usages = { digitalSignature: [0x80, 7], keyEncipherment: [0x20, 5], keyCertSign: [0x06, 1] } as const;

const pemOf = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString('base64')
    .replaceAll(/(.{64})(?!$)/g, '$1\n')}\n-----END ${label}-----\n`;

const makeKeys = async (kind: NonNullable<Wish['kind']>): Promise<webcrypto.CryptoKeyPair> => {
  const rsa = { modulusLength: kind === 'short RSA' ? 1_024 : 2_048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' };
  const signing = ['sign', 'verify'] as const;
  if (kind === 'ECDSA') return webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, signing);
  return webcrypto.subtle.generateKey({ name: kind === 'RSA-PSS' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5', ...rsa }, true, signing);
};

let serial = 1;

const extension = (extnID: string, critical: boolean, value: { toBER: () => ArrayBuffer }): Extension =>
  new Extension({ extnID, critical, extnValue: value.toBER() });

const extensionsOf = async (
  { isAuthority = false, usage = 'digitalSignature', purpose, authoritiesBelow }: Wish,
  keys: webcrypto.CryptoKeyPair,
) => {
  const [bits, unusedBits] = usages[isAuthority ? 'keyCertSign' : (usage ?? 'digitalSignature')];
  const constraints = { cA: true, ...(authoritiesBelow === undefined ? {} : { pathLenConstraint: authoritiesBelow }) };
  const id = await webcrypto.subtle.digest('SHA-1', await webcrypto.subtle.exportKey('spki', keys.publicKey));
  return [
    ...(isAuthority ? [extension('2.5.29.19', true, new BasicConstraints(constraints).toSchema())] : []),
    ...(usage === null ? [] : [extension('2.5.29.15', true, new BitString({ valueHex: new Uint8Array([bits]).buffer, unusedBits }))]),
    ...(purpose === undefined
      ? []
      : [extension('2.5.29.37', purpose.critical, new ExtKeyUsage({ keyPurposes: [purpose.oid] }).toSchema())]),
    extension('2.5.29.14', false, new OctetString({ valueHex: id })),
  ];
};

/** A certificate with its key, made here and now. */
export const issue = async (wish: Wish): Promise<Issued> => {
  const { name, issuer, kind = 'ECDSA', from = new Date(Date.now() - dayMs), until = new Date(Date.now() + 365 * dayMs) } = wish;
  const keys = await makeKeys(kind);
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ value: serial++ });
  certificate.subject.typesAndValues.push(new AttributeTypeAndValue({ type: '2.5.4.3', value: new PrintableString({ value: name }) }));
  certificate.issuer.typesAndValues.push(...(issuer?.certificate ?? certificate).subject.typesAndValues);
  certificate.notBefore.value = from;
  certificate.notAfter.value = until;
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  certificate.extensions = await extensionsOf(wish, keys);
  await certificate.sign(issuer?.key ?? keys.privateKey, 'SHA-256', getCrypto(true));
  const der = new Uint8Array(certificate.toSchema().toBER());
  const pkcs8 = new Uint8Array(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return { certificate, key: keys.privateKey, der, pem: pemOf('CERTIFICATE', der), keyPem: pemOf('PRIVATE KEY', pkcs8) };
};

export const anAuthority = async (name: string, wish: Omit<Wish, 'name'> = {}): Promise<Issued> =>
  issue({ ...wish, name, isAuthority: true });
