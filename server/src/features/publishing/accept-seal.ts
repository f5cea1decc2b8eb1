import type { DocumentSeal, SealDoubt } from '@pergamin/contract';
import { PortalError } from '#platform/http/errors.ts';
import type { SealResult } from '#platform/pdf/seals/seal-result.ts';
import type { SealPolicy } from '#platform/settings/signature-settings.ts';

const doubts: Record<SealDoubt, string> = {
  NO_ANCHORS: 'who sealed the document is not known',
  EXPIRED_SINCE: 'the certificate of the seal has expired, and when it was used is not known',
  ENCRYPTED: 'the seal of an encrypted PDF cannot be verified',
  UNSUPPORTED: 'the seal is of a kind that is not verified here',
};

/** What is kept of a seal. Throws SIGNATURE_INVALID and SIGNATURE_NOT_FOUND by the policy of the document's class. */
export const acceptSeal = (seal: SealResult | undefined, policy: SealPolicy): DocumentSeal | null => {
  if (seal === undefined) return null;
  if (seal.state === 'NOT_FOUND') {
    if (policy === 'required') throw new PortalError('SIGNATURE_NOT_FOUND');
    return null;
  }
  if (seal.state === 'INVALID') throw new PortalError('SIGNATURE_INVALID', { fields: { file: seal.reason } });
  const { state, signer, signedOn, doubt } = seal;
  if (policy === 'required' && doubt !== null) throw new PortalError('SIGNATURE_INVALID', { fields: { file: doubts[doubt] } });
  return { state, signer, signedOn, doubt };
};
