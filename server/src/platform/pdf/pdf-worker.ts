import { readFileSync, writeFileSync } from 'node:fs';
import { parentPort, threadId, workerData } from 'node:worker_threads';
import type { PdfFlag } from '@pergamin/contract';
import type { KnownCertificate } from '#platform/cms/certificates.ts';
import { useFontsIn } from './bundled-fonts.ts';
import { lacksPackedObject } from './cross-reference-check.ts';
import { collectEngines, isOvergrown } from './engine-memory.ts';
import { encodePage } from './page-image.ts';
import { findForeignData, isPdfByHeader } from './foreign-data.ts';
import { inspectObjects, type ObjectFindings } from './inspect-objects.ts';
import { createInspectionEngine } from './inspection-engine.ts';
import { isDrawable, openDocument, type PdfDocument } from './pdf-document.ts';
import type {
  PdfInspection,
  RenderedPage,
  SealJob,
  WorkerBegun,
  WorkerReply,
  WorkerRequest,
  WorkerStart,
  WorkerTask,
} from './pdf-worker.messages.ts';
import { PdfError } from './pdf.errors.ts';
import type { SealResult } from './seals/seal-result.ts';
import type { Completed } from './complete-document.ts';
import { createPdfium, type Pdfium } from './pdfium.ts';
import { msOf } from './thread-time.ts';

// A thread of the pool. It does one task at a time and may be terminated at any moment.
// oxlint-disable-next-line typescript/no-unsafe-assignment -- pdf-pool.ts hands it over, typed there
const start: WorkerStart = workerData;
if (start.fontDir !== undefined) useFontsIn(start.fontDir);
const restAfterMs = 250;
let rest: NodeJS.Timeout | undefined;
let open: Opened | undefined;

/** In the present task. */
let madeEngines: Pdfium[] = [];

async function makeEngine(): Promise<Pdfium> {
  collectEngines('minor');
  const engine = await createPdfium(start.module, start.heapLimitBytes);
  madeEngines.push(engine);
  return engine;
}

interface OpenOptions {
  readonly hidesLayers: boolean;
}

async function openFile(file: Uint8Array, options?: OpenOptions): Promise<PdfDocument> {
  return openIn(await makeEngine(), file, options);
}

async function openIn(pdfium: Pdfium, file: Uint8Array, options?: OpenOptions): Promise<PdfDocument> {
  try {
    return openDocument(pdfium, file, options);
  } catch (error) {
    if (!(error instanceof PdfError) || error.code !== 'ENCRYPTED') throw error;
    // Most threads never need it.
    const { withoutOwnerPassword } = await import('./owner-password.ts');
    const unlocked = await withoutOwnerPassword(file);
    if (unlocked === undefined) throw error;
    return { ...openDocument(pdfium, unlocked, options), encrypted: true };
  }
}

const inspectionEngine = createInspectionEngine(makeEngine);

/** Read once in a thread: they are the same for all documents. */
let anchors: { readonly pem: string; readonly read: readonly KnownCertificate[] } | undefined;

const noSize = { width: 0, height: 0 };

type Request<Kind extends WorkerRequest['kind']> = Extract<WorkerRequest, { kind: Kind }>;

async function inspect(request: Request<'inspection'>): Promise<PdfInspection> {
  const { path, maxPages, mayHoldForeignData, mustBeReadWhole, findsHidden = false, engineOf, seal } = request;
  const file = readFileSync(path);
  if (!isPdfByHeader(file)) throw new PdfError('NOT_A_PDF', 'the file does not begin as a PDF');
  // Before the engine, which unpacks everything.
  const found = inspectObjects(file);
  if (mustBeReadWhole && found.isTooMuch) throw new PdfError('TOO_MUCH', found.unread ?? '');
  const engine = engineOf === undefined ? undefined : await inspectionEngine.take(engineOf);
  const document = engine === undefined ? await openFile(file) : await openIn(engine.pdfium, file);
  if (document.pages > maxPages) throw new PdfError('TOO_MANY_PAGES', `${document.pages} pages`);
  if (document.pages < 1) throw new PdfError('BROKEN', 'the document has no page');
  const foreign = mayHoldForeignData ? undefined : findForeignData(file);
  if (foreign !== undefined) throw new PdfError('NOT_A_PDF', `the file holds ${foreign}`);
  const engineFlags = document.flags();
  const measured = Array.from({ length: document.pages }, (_, index) => document.sizeOf(index + 1));
  if (measured.every((size) => size === undefined)) throw new PdfError('BROKEN', 'no page can be read');
  const sizes = measured.map((size) => (size !== undefined && isDrawable(size) ? size : noSize));
  const undrawable = sizes.includes(noSize) ? (['PAGE_UNDRAWABLE'] as const) : [];
  const { pages, version } = document;
  // Objects that are packed in encrypted streams can only be read behind the encryption.
  const decrypted = document.encrypted ? document.decrypted() : undefined;
  if (decrypted !== undefined && lacksPackedObject(file, decrypted)) throw new PdfError('BROKEN', 'its table does not lead to all objects');
  const { flags, unread, isTooMuch, ...missing } = decrypted === undefined ? found : inspectObjects(decrypted);
  if (mustBeReadWhole && isTooMuch) throw new PdfError('TOO_MUCH', unread ?? '');
  const isCompleted = missing.mayBeIncomplete || (findsHidden && (missing.mayHideLayers || document.encrypted));
  const appearance = isCompleted ? await findMissing(document, file, { ...missing, findsHidden }) : hiddenFlags(document, findsHidden);
  if (engine !== undefined && !document.encrypted && !isCompleted) {
    document.close();
    inspectionEngine.giveBack(engine);
  }
  return {
    pages,
    sizes,
    ...(version === undefined ? {} : { version }),
    flags: [...new Set([...found.flags, ...flags, ...engineFlags, ...undrawable, ...appearance])].toSorted(),
    ...(unread === undefined ? {} : { unread }),
    ...(seal === undefined ? {} : { seal: await verifySeal(file, seal, found) }),
  };
}

async function verifySeal(file: Uint8Array, { anchors: pem, now }: SealJob, objects: ObjectFindings): Promise<SealResult> {
  // Most threads never need it.
  const { checkSeal } = await import('./seals/seal-check.ts');
  const { readAnchors } = await import('#platform/cms/certificates.ts');
  if (pem !== undefined && anchors?.pem !== pem) anchors = { pem, read: readAnchors(pem) };
  return checkSeal(file, { anchors: pem === undefined ? [] : (anchors?.read ?? []), now: new Date(now), objects });
}

type Missing = Pick<ObjectFindings, 'mayBeIncomplete' | 'mayHideLayers'> & { readonly findsHidden: boolean };

/** FONT_GUESSED and HIDDEN_CONTENT also where what the file leaves out cannot be found. The document is not to be used afterwards. */
async function findMissing(
  document: PdfDocument,
  file: Uint8Array,
  { mayBeIncomplete, mayHideLayers, findsHidden }: Missing,
): Promise<PdfFlag[]> {
  const completed = await complete(document);
  const shown = await openFile(completed?.file ?? file, completed);
  const ofFonts = mayBeIncomplete ? [...(completed?.flags ?? (['FONT_GUESSED'] as const)), ...shown.appearance()] : [];
  const isUnknown = completed === undefined && mayHideLayers;
  return [...ofFonts, ...(findsHidden && isUnknown ? (['HIDDEN_CONTENT'] as const) : hiddenFlags(shown, findsHidden))];
}

function hiddenFlags(document: PdfDocument, isAsked: boolean): PdfFlag[] {
  return isAsked && document.hidesContent() ? ['HIDDEN_CONTENT'] : [];
}

/** What the file leaves out, where that can be known. The document is not to be used afterwards. */
async function complete(document: PdfDocument): Promise<Completed | undefined> {
  try {
    // Most threads never need it.
    const { completeDocument } = await import('./complete-document.ts');
    return await completeDocument(document.decrypted());
  } catch {
    // The file itself is shown as it is; the publisher was told.
    return undefined;
  }
}

/** An engine that draws or reads pages serves one document only. */
async function withDocument<T>(path: string, work: (document: PdfDocument) => T): Promise<T> {
  const opened = await openOnce(path);
  const result = work(opened.document);
  if (opened.isCompleted || !opened.document.isIncomplete()) return result;
  const isFound = opened.document.encrypted || opened.document.isUnclear() || objectsOf(opened).mayBeIncomplete;
  return (await completeOnce(opened, isFound)) ? work(opened.document) : result;
}

/** Layers that are off are not read: which of them are, the engine does not tell. */
async function readDocument<T>(path: string, read: (document: PdfDocument) => T): Promise<T> {
  const opened = await openOnce(path);
  if (!opened.isCompleted && (opened.document.encrypted || objectsOf(opened).mayHideLayers)) await completeOnce(opened, true);
  return withDocument(path, read);
}

interface Opened {
  readonly path: string;
  document: PdfDocument;
  isCompleted: boolean;
  objects?: ObjectFindings;
}

async function openOnce(path: string): Promise<Opened> {
  if (open?.path === path) return open;
  open = undefined;
  return (open = { path, document: await openFile(readFileSync(path)), isCompleted: false });
}

function objectsOf(opened: Opened): ObjectFindings {
  return (opened.objects ??= inspectObjects(readFileSync(opened.path)));
}

/** Answers whether the document is another one now. */
async function completeOnce(opened: Opened, isWanted: boolean): Promise<boolean> {
  opened.isCompleted = true;
  const completed = isWanted ? await complete(await openFile(readFileSync(opened.path))) : undefined;
  if (completed?.file === undefined) return false;
  opened.document = await openFile(completed.file, completed);
  return true;
}

async function drawPage({ path, page, width }: Request<'page'>): Promise<RenderedPage> {
  const { bytes, ...image } = await withDocument(path, (document) => encodePage(document.draw(page, width)));
  const imagePath = `${path}.${page}.${width}`;
  writeFileSync(imagePath, bytes, { mode: 0o600 });
  return { page, imagePath, size: bytes.length, ...image };
}

async function answer(request: WorkerRequest): Promise<WorkerReply> {
  if (request.kind !== 'inspection') inspectionEngine.drop();
  if (request.kind === 'page') return { kind: 'page', page: await drawPage(request) };
  if (request.kind === 'text') return { kind: 'text', text: await readDocument(request.path, (document) => document.textOf(request.page)) };
  if (request.kind === 'lines')
    return { kind: 'lines', lines: await readDocument(request.path, (document) => document.linesOf(request.page)) };
  open = undefined;
  return { kind: 'inspection', inspection: await inspect(request) };
}

function failure(error: unknown): WorkerReply {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof PdfError) return { kind: 'failure', code: error.code, detail };
  const isUnreadable = error instanceof Error && 'syscall' in error;
  return { kind: 'failure', code: isUnreadable ? 'UNREADABLE' : 'CRASHED', detail };
}

async function runTask({ id, ...request }: WorkerTask): Promise<WorkerReply> {
  const begun: WorkerBegun = { begun: id, threadId, usedMs: msOf(process.threadCpuUsage()) };
  parentPort?.postMessage(begun, []);
  clearTimeout(rest);
  try {
    return await answer(request);
  } catch (error) {
    open = undefined;
    return failure(error);
  } finally {
    releaseOvergrown();
    rest = setTimeout(() => {
      open = undefined;
      inspectionEngine.drop();
      collectEngines('major');
    }, restAfterMs).unref();
  }
}

/** Gives large engines back at once: a document that others follow would keep its own until the next collection. */
function releaseOvergrown(): void {
  const engineBytes = madeEngines.reduce((sum, engine) => sum + engine.bytes().length, 0);
  madeEngines = [];
  const isOpenOvergrown = open?.document.hasGrown() === true;
  if (isOpenOvergrown) open = undefined;
  if (isOpenOvergrown || isOvergrown({ engineBytes, fileBytes: 0 })) collectEngines('major');
}

/** The first page of a thread costs several times the later ones: draw one in fonts that are not embedded before the first task. */
async function warmUp(): Promise<typeof runTask> {
  await encodePage((await openFile(readFileSync(new URL('./warm-up.pdf', import.meta.url)))).draw(1, 1240));
  return runTask;
}

// oxlint-disable-next-line import/no-default-export -- piscina takes the handler from here
export default start.isAheadOfTasks ? warmUp() : runTask;
