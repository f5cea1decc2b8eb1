import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { patternedText } from '@pergamin/contract';
import * as z from 'zod/mini';
import { certificatesOfPem } from '#platform/cms/pem.ts';
import { type PerClass, perClass } from './class-values.ts';
import type { ReadOf } from './sending-settings.ts';

const sealPolicies = ['none', 'ifPresent', 'required'] as const;

/** Of a class: its seals are not looked at, none may be wrong, or each document has a valid one. A class that is left out: `none`. */
export type SealPolicy = (typeof sealPolicies)[number];

const maxPemBytes = 1024 * 1024;

/** The text of a PEM file with certificates alone. */
const certificates = z.pipe(
  z.string().check(z.minLength(1)),
  z.transform((path, payload) => {
    try {
      const pem = readFileSync(path, 'utf8');
      const read = certificatesOfPem(pem).map((der) => new X509Certificate(der));
      if (read.length > 0 && pem.length <= maxPemBytes) return pem;
    } catch {
      // Told below.
    }
    payload.issues.push({ code: 'custom', input: path, message: 'the file cannot be read, or holds no certificates (PEM)' });
    return z.NEVER;
  }),
);

const isAuthority = (written: string): boolean => {
  if (!URL.canParse(written)) return false;
  const url = new URL(written);
  return /^https?:$/.test(url.protocol) && url.hash === '';
};

/** Settings of seals on published documents and of time-stamps. */
export const signatureSettingRows = {
  SEAL_POLICY: {
    doc: 'What is asked of the seals of published PDFs, by class, as private=required,statement=ifPresent: required (a valid one), ifPresent (none may be wrong) or none.',
    schema: perClass<SealPolicy>(
      (written) => sealPolicies.find((policy) => policy === written),
      'not of the form private=required,statement=ifPresent,public=none, each once',
    ),
    standard: '',
    public: true,
  },
  SEAL_ANCHORS: {
    doc: 'PEM file with the certificates that seals must lead to: of authorities, or of the seals themselves. Left out: who sealed is not known.',
    schema: certificates,
    standard: undefined,
    public: true,
  },
  TIMESTAMP_URL: {
    doc: 'Time-stamping authority (RFC 3161 over HTTP) that dates the ledger. Left out: none does.',
    schema: z.pipe(
      z.string().check(z.refine(isAuthority, { error: 'not an address like https://tsa.example.com/tsa' })),
      z.transform((written) => new URL(written)),
    ),
    standard: undefined,
  },
  TIMESTAMP_ANCHORS: {
    doc: 'PEM file with the certificates that time-stamps must lead to; needed beside TIMESTAMP_URL.',
    schema: certificates,
    standard: undefined,
    public: true,
  },
  TIMESTAMP_POLICY: {
    doc: 'Policy under which time-stamps must be made, like 1.3.6.1.4.1.99999.1. Left out: the authority’s own.',
    schema: patternedText(/^[0-2](?:\.\d{1,20}){1,20}$/, { maxLength: 200, error: 'not an object identifier like 1.3.6.1.4.1.99999.1' }),
    standard: undefined,
    public: true,
  },
} as const;

type SignatureRead = ReadOf<typeof signatureSettingRows>;

export const signatureProblem = (read: SignatureRead): string | undefined => {
  if (Object.values(read.SEAL_POLICY).includes('required') && read.SEAL_ANCHORS === undefined)
    return 'SEAL_ANCHORS: missing beside a SEAL_POLICY with required.';
  if (read.TIMESTAMP_URL !== undefined && read.TIMESTAMP_ANCHORS === undefined) return 'TIMESTAMP_ANCHORS: missing beside TIMESTAMP_URL.';
  return undefined;
};

/** What published PDFs are asked for. `anchors`: PEM. */
export interface SealSettings {
  readonly policy: PerClass<SealPolicy>;
  readonly anchors: string | undefined;
}

export const signatureSettingsOf = (read: SignatureRead) => ({
  seals: { policy: read.SEAL_POLICY, anchors: read.SEAL_ANCHORS } satisfies SealSettings,
  timestamps:
    read.TIMESTAMP_URL === undefined || read.TIMESTAMP_ANCHORS === undefined
      ? undefined
      : { url: read.TIMESTAMP_URL, anchors: read.TIMESTAMP_ANCHORS, policy: read.TIMESTAMP_POLICY },
});
