import type { Readable } from 'node:stream';

export interface ExportedFile {
  readonly fileName: string;
  /** Undefined where it is not known before everything was written. */
  readonly size?: bigint;
  readonly body: Readable;
}
