import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPdfThread, type PdfThread } from './pdf-thread.ts';
import { warmUpPage } from './warm-up-page.ts';

let folder: string;
let path: string;
let thread: PdfThread;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdf-thread-'));
  path = join(folder, 'letter.pdf');
  await writeFile(path, warmUpPage);
  const module = await WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')));
  thread = createPdfThread({ makeStart: async () => ({ module, heapLimitBytes: 64 * 1024 * 1024 }) });
});
afterAll(async () => {
  await thread.stop();
  await rm(folder, { recursive: true });
});

test('a thread that is asked while it is being stopped answers: another worker starts for it', { timeout: 60_000 }, async () => {
  const inspect = () => thread.call({ kind: 'inspect', path, mayHoldForeignData: false, mustBeReadWhole: false, maxPages: 1 }, 20_000);
  const answer = { kind: 'inspection', inspection: { pages: 1 } };
  expect(await inspect()).toMatchObject(answer);
  const stopped = thread.stop();
  expect(await inspect()).toMatchObject(answer);
  await stopped;
  expect(await inspect()).toMatchObject(answer);
});
