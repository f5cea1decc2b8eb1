import type { PageText, PdfFlag } from '@pergamin/contract';
import type { PdfErrorCode } from './pdf.errors.ts';
import type { PageImage } from './page-image.ts';

/** What a new worker is given. The compiled module is shared by all of them, an instance of it never is. */
export interface WorkerStart {
  module: WebAssembly.Module;
  heapLimitBytes: number;
}

export type WorkerRequest =
  | { kind: 'inspect'; path: string; maxPages: number; mayHoldForeignData: boolean; mustBeReadWhole: boolean }
  /** `job` names the document that may stay open for the next page; another job's request closes it. The image is written beside it. */
  | { kind: 'page'; job: number; path: string; page: number; width: number }
  /** As `page`, but its text. */
  | { kind: 'text'; job: number; path: string; page: number }
  /** As `text`, with the place of every letter. */
  | { kind: 'lines'; job: number; path: string; page: number }
  /** Closes the document that stayed open; has no reply. */
  | { kind: 'release' };

export interface PdfInspection {
  pages: number;
  /** Of each page, in points and after rotation. */
  sizes: { width: number; height: number }[];
  /** As the header says, for instance `1.7`. */
  version?: string;
  /** What it could do in other hands, each once. Nothing of it is ever executed here. */
  flags: PdfFlag[];
  /** In words: why its objects could not all be looked at, so that the flags may not be all. */
  unread?: string;
}

/** The image lies in a file: its bytes, of which a document has some megabytes, never pass through the thread that answers calls. */
export interface RenderedPage extends Omit<PageImage, 'bytes'> {
  /** Counted from 1. */
  page: number;
  imagePath: string;
  /** Of the file. */
  size: number;
}

/** `CRASHED`: the engine trapped or ran out of memory, so that its instance is gone; another attempt may succeed. */
export type WorkerReply =
  /** `systemThread`: its number, where the system tells it (Linux). */
  | { kind: 'ready'; systemThread?: number }
  | { kind: 'inspection'; inspection: PdfInspection }
  | { kind: 'page'; page: RenderedPage }
  | { kind: 'text'; text: string }
  | { kind: 'lines'; lines: PageText }
  | { kind: 'failure'; code: PdfErrorCode | 'CRASHED' | 'UNREADABLE'; detail: string };

/** What a worker sends. */
export interface WorkerMessage {
  reply: WorkerReply;
  /** How long the thread has worked since it was started, as the system counts. */
  workedMs: number;
}
