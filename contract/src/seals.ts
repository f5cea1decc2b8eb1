import * as z from 'zod/mini';
import { epochMs } from './values.ts';

/**
 * What is not known of a seal that could not be verified wholly.
 * - `NO_ANCHORS` who sealed it: the organisation has named no authorities that it trusts
 * - `EXPIRED_SINCE` when it was sealed: the certificate has expired, and only the seal itself says that it was valid then
 * - `ENCRYPTED` what was sealed: the PDF is encrypted
 * - `UNSUPPORTED` all of it: it was made in a way that is not verified here
 */
export const sealDoubts = ['NO_ANCHORS', 'EXPIRED_SINCE', 'ENCRYPTED', 'UNSUPPORTED'] as const;
export type SealDoubt = (typeof sealDoubts)[number];

/** Of a published document, as verified when it was published. A seal that is not valid is not published. */
export const documentSeal = z.object({
  state: z.enum(['VALID', 'INDETERMINATE']),
  /** As the certificate names it; null: unknown. */
  signer: z.nullable(z.string()),
  /** As the seal says; null: it does not. */
  signedOn: z.nullable(epochMs),
  /** Of INDETERMINATE. */
  doubt: z.nullable(z.enum(sealDoubts)),
});
export type DocumentSeal = z.output<typeof documentSeal>;
