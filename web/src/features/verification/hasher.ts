// oxlint-disable-next-line import/default -- Vite answers with the address of the file.
import workerUrl from './hash.worker.ts?worker&url';
import { workerAddress } from '#platform/worker-address.ts';
import type { HashReport, HashRequest } from './hash-messages.ts';

interface HashOrder {
  readonly signal: AbortSignal;
  readonly onProgress: (bytesDone: number) => void;
}

/** Hashes files apart from the page, one at a time: nothing of a file leaves the device, and the page goes on meanwhile. */
export interface Hasher {
  /** 64 hex digits. Throws FileUnreadable; breaks off at once, with the signal's reason, when it is told to. */
  hash(file: Blob, order: HashOrder): Promise<string>;
  close(): void;
}

export class FileUnreadable extends Error {
  override readonly name = 'FileUnreadable';
}

let address: string | undefined;

const startWorker = (): Worker => new Worker((address ??= workerAddress('hash-worker', workerUrl)), { type: 'module', name: 'hash' });

export const createHasher = (): Hasher => {
  // Started before there is anything to do, so that the first file does not wait for it.
  let worker: Worker | undefined = startWorker();
  const stop = (): void => {
    worker?.terminate();
    worker = undefined;
  };
  return {
    async hash(file, { signal, onProgress }) {
      signal.throwIfAborted();
      const current = (worker ??= startWorker());
      return new Promise((resolve, reject) => {
        const settled = new AbortController();
        const settle = (end: () => void): void => {
          settled.abort();
          end();
        };
        const fail = (reason: string): void => settle(() => reject(new FileUnreadable(reason)));
        const listen = { signal: settled.signal };
        // Nothing interrupts a worker that computes; a new one takes its place.
        const handleAbort = (): void => {
          stop();
          settle(() => reject(new DOMException('The hashing was broken off', 'AbortError')));
        };
        signal.addEventListener('abort', handleAbort, listen);
        current.addEventListener(
          'message',
          ({ data }: MessageEvent<HashReport>) => {
            if ('bytesDone' in data) onProgress(data.bytesDone);
            else if ('sha256' in data) settle(() => resolve(data.sha256));
            else fail(data.failure);
          },
          listen,
        );
        current.addEventListener(
          'error',
          () => {
            stop();
            fail('The worker ended');
          },
          listen,
        );
        const request: HashRequest = { file };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
        current.postMessage(request);
      });
    },
    close: stop,
  };
};
