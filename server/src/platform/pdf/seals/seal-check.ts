import { createHash, type Hash } from 'node:crypto';
import { PDF } from '@libpdf/core';
import type { SealDoubt } from '@pergamin/contract';
import { type KnownCertificate, maySign, nameOf, requireTrusted } from '#platform/cms/certificates.ts';
import { CmsError } from '#platform/cms/cms-error.ts';
import { readSigned, type Signed, signingTimeOf, verifySigner } from '#platform/cms/signed-data.ts';
import type { ObjectFindings } from '#platform/pdf/inspect-objects.ts';
import { isOnlyValidationData } from './appended-data.ts';
import type { SealResult } from './seal-result.ts';
import { findSignatures, CoverageError, readRange, type SealedRange } from './sealed-ranges.ts';

interface Options {
  /** Of the authorities that the organisation trusts, or of its seals themselves. None: no signer is known. */
  readonly anchors: readonly KnownCertificate[];
  readonly now: Date;
  /** Of this file. No seal is judged in one whose objects cannot be read within limits: another reader meets packed ones without end. */
  readonly objects: Pick<ObjectFindings, 'mayBeSigned' | 'unread'>;
}

interface Verified extends Signed {
  readonly certificate: KnownCertificate;
}

type Who = { readonly signer: string | null; readonly signedOn: number | null };

const unknownSigner: Who = { signer: null, signedOn: null };
const stampFormat = 'ETSI.RFC3161';
const formats = new Set(['ETSI.CAdES.detached', 'adbe.pkcs7.detached']);
/** Of the signer's clock. */
const maxAheadMs = 10 * 60_000;

/**
 * Verifies the seals of a PDF: what they cover, the signatures, and that the last one leads to a trust anchor. Looks at no revocation, asks no network
 * (decision 0046). Never throws for what a file holds.
 */
export const checkSeal = async (file: Uint8Array, options: Options): Promise<SealResult> => {
  // Most PDFs have none, and are not parsed for it.
  if (!options.objects.mayBeSigned) return { state: 'NOT_FOUND' };
  let isExtended = false;
  let who = unknownSigner;
  const doubt = (of: SealDoubt): SealResult => ({ state: 'INDETERMINATE', ...who, doubt: of, isExtended });
  const invalid = (reason: string): SealResult => ({ state: 'INVALID', reason, ...who, isExtended });
  if (options.objects.unread !== undefined) return doubt('UNSUPPORTED');
  try {
    const pdf = await PDF.load(file);
    const signatures = findSignatures(pdf);
    if (pdf.isEncrypted) return signatures.length === 0 ? { state: 'NOT_FOUND' } : doubt('ENCRYPTED');
    const ranges = signatures.map((signature) => readRange(file, signature, pdf)).filter(({ format }) => format !== stampFormat);
    const last = ranges.toSorted((one, other) => other.end - one.end)[0];
    if (last === undefined) return { state: 'NOT_FOUND' };
    const verified = await verifyRange(file, last);
    const signedOn = signingTimeOf(verified.signer) ?? last.signedOn;
    who = { signer: nameOf(verified.certificate), signedOn: signedOn?.getTime() ?? null };
    isExtended = last.end < file.length;
    if (isExtended && !(await isOnlyValidationData(file, last.end))) return invalid('The document was changed after it was sealed');
    for (const range of ranges) if (range !== last) await verifyRange(file, range);
    const open = await findDoubt(verified, signedOn, options);
    return open === undefined ? { state: 'VALID', ...who, doubt: null, isExtended } : doubt(open);
  } catch (error) {
    if (error instanceof CmsError && error.fault === 'UNSUPPORTED') return doubt('UNSUPPORTED');
    if (error instanceof CmsError || error instanceof CoverageError) return invalid(error.message);
    return invalid('The seal cannot be read');
  }
};

const verifyRange = async (file: Uint8Array, { gapStart, gapEnd, end, cms, format }: SealedRange): Promise<Verified> => {
  if (!formats.has(format)) {
    const isWeak = format.endsWith('sha1');
    throw new CmsError(
      isWeak ? 'WEAK' : 'UNSUPPORTED',
      isWeak ? 'The signature was made with SHA-1' : 'The signature is of another format',
    );
  }
  const signed = readSigned(cms, { isPadded: true });
  if (signed.content !== undefined) throw new CmsError('MALFORMED', 'The signature holds data of its own instead of signing the document');
  const hashed = (hash: Hash): Buffer => hash.update(file.subarray(0, gapStart)).update(file.subarray(gapEnd, end)).digest();
  const certificate = await verifySigner(signed, (algorithm) => hashed(createHash(algorithm)));
  if (!maySign(certificate)) throw new CmsError('WRONG_CERTIFICATE', 'The certificate of the signer is not one for signatures');
  return { ...signed, certificate };
};

/** Undefined: all is known, and right. Throws CmsError for what is wrong. */
const findDoubt = async (
  { certificate: signer, certificates: others }: Verified,
  signedOn: Date | undefined,
  { anchors, now }: Options,
): Promise<SealDoubt | undefined> => {
  if (signedOn !== undefined && signedOn.getTime() > now.getTime() + maxAheadMs)
    throw new CmsError('OUT_OF_VALIDITY', 'The seal says that it was made in the future');
  if (anchors.length === 0) return 'NO_ANCHORS';
  if (signedOn !== undefined) await requireTrusted({ signer, others, anchors, at: signedOn });
  try {
    await requireTrusted({ signer, others, anchors, at: now });
    return undefined;
  } catch (error) {
    // Whether it had expired when the seal was made is said by the seal alone.
    if (error instanceof CmsError && error.fault === 'OUT_OF_VALIDITY' && signedOn !== undefined) return 'EXPIRED_SINCE';
    throw error;
  }
};
