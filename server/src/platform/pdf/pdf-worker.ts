import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { createEngineMemory } from './engine-memory.ts';
import { createPageEncoder } from './page-image.ts';
import { findForeignData, isPdfByHeader } from './foreign-data.ts';
import { inspectObjects } from './inspect-objects.ts';
import { openDocument, type PdfDocument } from './pdf-document.ts';
import type { PdfInspection, RenderedPage, WorkerMessage, WorkerReply, WorkerRequest, WorkerStart } from './pdf-worker.messages.ts';
import { PdfError } from './pdf.errors.ts';
import { createPdfium } from './pdfium.ts';
import { warmUpPage } from './warm-up-page.ts';

// One thread of the pool. It answers one request at a time and may be terminated at any moment.
// oxlint-disable-next-line typescript/no-unsafe-assignment -- what pdf-thread.ts hands over, typed there
const start: WorkerStart = workerData;
const encode = createPageEncoder();
const engineMemory = createEngineMemory();
let open: { job: number; document: PdfDocument } | undefined;

async function openFile(file: Uint8Array): Promise<PdfDocument> {
  engineMemory.beforeNext();
  return openDocument(await createPdfium(start.module, start.heapLimitBytes), file);
}

type InspectRequest = Extract<WorkerRequest, { kind: 'inspect' }>;

async function inspect({ path, maxPages, mayHoldForeignData, mustBeReadWhole }: InspectRequest): Promise<PdfInspection> {
  const file = readFileSync(path);
  if (!isPdfByHeader(file)) throw new PdfError('NOT_A_PDF', 'the file does not begin as a PDF');
  // Before the engine, which unpacks whatever there is.
  const { flags, unread, isTooMuch } = inspectObjects(file);
  if (mustBeReadWhole && isTooMuch) throw new PdfError('TOO_MUCH', unread ?? '');
  const document = await openFile(file);
  if (document.encrypted) throw new PdfError('ENCRYPTED', 'the document is encrypted');
  if (document.pages > maxPages) throw new PdfError('TOO_MANY_PAGES', `${document.pages} pages`);
  if (document.pages < 1) throw new PdfError('BROKEN', 'the document has no page');
  const foreign = mayHoldForeignData ? undefined : findForeignData(file);
  if (foreign !== undefined) throw new PdfError('NOT_A_PDF', `the file holds ${foreign}`);
  const sizes = Array.from({ length: document.pages }, (_, index) => document.sizeOf(index + 1));
  return {
    pages: document.pages,
    sizes,
    ...(document.version === undefined ? {} : { version: document.version }),
    flags: [...new Set([...flags, ...document.flags()])].toSorted(),
    ...(unread === undefined ? {} : { unread }),
  };
}

async function openFor({ job, path }: { job: number; path: string }): Promise<PdfDocument> {
  if (open?.job !== job) {
    open = undefined;
    open = { job, document: await openFile(readFileSync(path)) };
  }
  return open.document;
}

async function renderPage(request: Extract<WorkerRequest, { kind: 'page' }>): Promise<RenderedPage> {
  const { page, path } = request;
  const document = await openFor(request);
  const drawn = document.draw(page, request.width);
  const { bytes, ...image } = 'pixels' in drawn ? await encode(drawn) : drawn;
  const imagePath = `${path}.${page}`;
  writeFileSync(imagePath, bytes, { mode: 0o600 });
  return { page, imagePath, size: bytes.length, ...image };
}

async function answer(request: WorkerRequest): Promise<WorkerReply | undefined> {
  try {
    if (request.kind === 'page') return { kind: 'page', page: await renderPage(request) };
    if (request.kind === 'text') return { kind: 'text', text: (await openFor(request)).textOf(request.page) };
    if (request.kind === 'lines') return { kind: 'lines', lines: (await openFor(request)).linesOf(request.page) };
    // An instance serves one document only, so whatever else comes closes the one that stayed open.
    open = undefined;
    if (request.kind === 'inspect') return { kind: 'inspection', inspection: await inspect(request) };
    return undefined;
  } catch (error) {
    open = undefined;
    return failure(error);
  }
}

function failure(error: unknown): WorkerReply {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof PdfError) return { kind: 'failure', code: error.code, detail };
  const unreadable = error instanceof Error && 'syscall' in error;
  return { kind: 'failure', code: unreadable ? 'UNREADABLE' : 'CRASHED', detail };
}

function send(reply: WorkerReply): void {
  const { user, system } = process.threadCpuUsage();
  const message: WorkerMessage = { reply, workedMs: (user + system) / 1_000 };
  parentPort?.postMessage(message, []);
}

// The first page of a thread costs several times the later ones: this one nobody waits for.
const warmedUp = (await openFile(warmUpPage)).draw(1, 1240);
if ('pixels' in warmedUp) await encode(warmedUp);
parentPort?.on('message', (request: WorkerRequest) => {
  engineMemory.endRest();
  void answer(request).then((reply) => {
    if (reply) send(reply);
    engineMemory.beginRest();
  });
});
send({ kind: 'ready', ...numberOfThread() });

function numberOfThread(): { systemThread?: number } {
  if (process.platform !== 'linux') return {};
  try {
    const number = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    return Number.isSafeInteger(number) && number > 0 ? { systemThread: number } : {};
  } catch {
    return {};
  }
}
