import type { PageText, PdfFlag } from '@pergamin/contract';
import type { PdfErrorCode } from './pdf.errors.ts';
import type { PageImage } from './page-image.ts';
import type { SealResult } from './seals/seal-result.ts';

/** What a new worker gets. All workers share the compiled module, never an instance of it. */
export interface WorkerStart {
  module: WebAssembly.Module;
  /** Not started for a task that waits already. */
  isAheadOfTasks: boolean;
  heapLimitBytes: number;
  /** A folder with fonts of scripts that the bundled ones lack. */
  fontDir?: string | undefined;
}

/** `anchors`: PEM; undefined: none. `now` in epoch ms. */
export interface SealJob {
  anchors: string | undefined;
  now: number;
}

/** A document stays open for the next request of the same path. The image of a page is written beside the document. */
export type WorkerRequest =
  | {
      kind: 'inspection';
      path: string;
      maxPages: number;
      mayHoldForeignData: boolean;
      mustBeReadWhole: boolean;
      findsHidden?: boolean | undefined;
      engineOf?: string | undefined;
      seal?: SealJob | undefined;
    }
  | { kind: 'page'; path: string; page: number; width: number }
  | { kind: 'text'; path: string; page: number }
  | { kind: 'lines'; path: string; page: number };

/** The message WorkerBegun repeats `id`. */
export type WorkerTask = WorkerRequest & { id: number };

/** Sent when the work on a task begins: its time counts from then on. */
export interface WorkerBegun {
  begun: number;
  threadId: number;
  /** Processor time that the thread has used before. */
  usedMs: number;
}

/** The result of inspecting a PDF before it is stored. */
export interface PdfInspection {
  pages: number;
  /** Of each page, in points and after rotation; 0 × 0 for one that cannot be drawn. */
  sizes: { width: number; height: number }[];
  /** From the header, for instance `1.7`. */
  version?: string;
  /** What other programs could execute, and why readers may see less than was meant; each once. The portal executes nothing of it. */
  flags: PdfFlag[];
  /** Why not all objects were inspected: the flags may be incomplete. */
  unread?: string;
  /** When it was asked for. */
  seal?: SealResult;
}

/** The image is in a file, so that its bytes never pass through the thread that answers calls. */
export interface RenderedPage extends Omit<PageImage, 'bytes'> {
  /** Counted from 1. */
  page: number;
  imagePath: string;
  /** Of the file. */
  size: number;
}

/** `CRASHED`: the engine trapped or ran out of memory. Another attempt may succeed. */
export type WorkerReply =
  | { kind: 'inspection'; inspection: PdfInspection }
  | { kind: 'page'; page: RenderedPage }
  | { kind: 'text'; text: string }
  | { kind: 'lines'; lines: PageText }
  | { kind: 'failure'; code: PdfErrorCode | 'CRASHED' | 'UNREADABLE'; detail: string };
