/** What the page asks of the worker that hashes: one file at a time. */
export interface HashRequest {
  readonly file: Blob;
}

/** What the worker tells: how far it is, then the checksum, or that the file cannot be read. */
export type HashReport = { readonly bytesDone: number } | { readonly sha256: string } | { readonly failure: string };
