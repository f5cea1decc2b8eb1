import type { DocumentSeal } from '@pergamin/contract';

/** `reason`: one sentence for the publisher. */
export type SealResult =
  | { readonly state: 'NOT_FOUND' }
  | ({ readonly state: 'INVALID'; readonly reason: string; readonly isExtended: boolean } & Pick<DocumentSeal, 'signer' | 'signedOn'>)
  | (DocumentSeal & { readonly isExtended: boolean });
