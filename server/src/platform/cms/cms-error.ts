/**
 * Why a signature is not accepted.
 * - `MALFORMED` it cannot be read, or lacks what it must have
 * - `ALTERED` the signed data, or the signature itself, are not what was signed
 * - `WEAK` made with SHA-1, MD5 or a short RSA key
 * - `WRONG_CERTIFICATE` not the certificate that the signature names, or one that may not sign this
 * - `UNTRUSTED` its certificate leads to none of the trust anchors
 * - `OUT_OF_VALIDITY` a certificate had expired, or was not valid yet
 * - `UNSUPPORTED` an algorithm that cannot be verified here
 */
export type CmsFault = 'MALFORMED' | 'ALTERED' | 'WEAK' | 'WRONG_CERTIFICATE' | 'UNTRUSTED' | 'OUT_OF_VALIDITY' | 'UNSUPPORTED';

/** The message is one plain sentence for logs and for the publisher. */
export class CmsError extends Error {
  override readonly name = 'CmsError';
  readonly fault: CmsFault;

  constructor(fault: CmsFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
