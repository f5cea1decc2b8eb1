import { hashBlob } from './hash-blob.ts';
import type { HashReport, HashRequest } from './hash-messages.ts';

const tell = (report: HashReport): void => postMessage(report);

addEventListener('message', ({ data }: MessageEvent<HashRequest>) => {
  hashBlob(data.file, (bytesDone) => tell({ bytesDone })).then(
    (sha256) => tell({ sha256 }),
    (error: unknown) => tell({ failure: String(error) }),
  );
});
