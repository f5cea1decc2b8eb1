// oxlint-disable-next-line import/default -- Vite answers with the address of the file.
import workerUrl from './hash.worker.ts?worker&url';
import { workerAddress } from '#platform/worker-address.ts';
import type { HashReport } from './hash.worker.ts';

/** Answers 64 hex digits. Throws what kept it from reading the file, and at once when the signal aborts. */
export type HashFile = (
  file: Blob,
  options: { readonly signal: AbortSignal; readonly onProgress: (bytesDone: number) => void },
) => Promise<string>;

export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
}

let address: string | undefined;
const startWorker = (): Worker => new Worker((address ??= workerAddress('hash-worker', workerUrl)), { type: 'module', name: 'hash' });

/** Started ahead, so that the next file does not wait for its worker. */
let spare: Worker | undefined;

/** Keeps a worker ready until the returned function is called. */
export const prepareHashing = (): (() => void) => {
  spare ??= startWorker();
  return () => {
    spare?.terminate();
    spare = undefined;
  };
};

/** Hashes a file apart from the page: nothing of it leaves the device, and the page goes on meanwhile. Throws FileUnreadable. */
export const hashFile: HashFile = async (file, { signal, onProgress }) => {
  signal.throwIfAborted();
  // Nothing interrupts a worker that computes: each file has one of its own, which ends with it.
  const worker = spare ?? startWorker();
  spare = startWorker();
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('The hashing was broken off', 'AbortError')));
      worker.addEventListener('error', () => reject(new FileUnreadable('The worker ended')));
      worker.addEventListener('message', ({ data }: MessageEvent<HashReport>) => {
        if ('bytesDone' in data) onProgress(data.bytesDone);
        else if ('sha256' in data) resolve(data.sha256);
        else reject(new FileUnreadable(data.failure));
      });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
};
