import { hashBlob } from './hash-blob.ts';

/** What the worker tells of the file that it was sent: how far it is, then the checksum, or that the file cannot be read. */
export type HashReport = { readonly bytesDone: number } | { readonly sha256: string } | { readonly failure: string };

const tell = (report: HashReport): void => postMessage(report);

addEventListener('message', ({ data }: MessageEvent<Blob>) => {
  hashBlob(data, (bytesDone) => tell({ bytesDone })).then(
    (sha256) => tell({ sha256 }),
    (error: unknown) => tell({ failure: String(error) }),
  );
});
