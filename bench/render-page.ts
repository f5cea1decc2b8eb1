import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { viewerLimits } from '@pergamin/contract';
import { demoDocuments } from '@pergamin/tools/demo';
import * as z from 'zod/mini';
import { cpuMsOfEndedChildren } from './cpu.ts';
import { startProgram } from './program.ts';
import { type Measuring, PeerAbsent, type Promised } from './promise.ts';

const width = viewerLimits.defaultRenderWidthPx;
/** In a row, each round: the time of pdftoppm is told in steps of 10 ms, and a first document after a rest costs us a fifth more. */
const times = 3;
const today = new Date('2026-11-20T12:00:00Z');
const rendered = z.object({ cpuMs: z.number(), pages: z.int(), bytes: z.int() });
const run = promisify(execFile);

/** The demonstration's longest statement; the same bytes every time. */
const writeStatement = async (path: string): Promise<void> => {
  for (const document of demoDocuments({ seed: 20_261_120, today }))
    if (/^DEMO-10000001-ANNUAL-\d+$/.test(document.uniqueName)) return writeFile(path, await document.pdf());
  throw new Error('the demonstration has no annual statement of 10000001 any more');
};

/** The product's own drawing in a process of its own, with nothing else of the product. */
export const startRenderer = async (cleanUp: AsyncDisposableStack) => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'statement.pdf');
  await writeStatement(path);
  const renderer = await startProgram('renderer', { path, width }, folder);
  cleanUp.defer(() => renderer.stop());
  return { folder, path, renderer };
};

const open = async (): Promise<Measuring> => {
  await run('pdftoppm', ['-v']).catch(() => {
    throw new PeerAbsent('pdftoppm is not installed');
  });
  const cleanUp = new AsyncDisposableStack();
  try {
    const { folder, path, renderer } = await startRenderer(cleanUp);
    // The engine is started and its code compiled; the product does that once, not for each document.
    const { pages } = rendered.parse(await renderer.ask('render'));
    return {
      async ours() {
        let cpuMs = 0;
        for (let time = 0; time < times; time += 1) cpuMs += rendered.parse(await renderer.ask('render')).cpuMs;
        return cpuMs / pages / times;
      },
      async floor() {
        const before = cpuMsOfEndedChildren();
        for (let time = 0; time < times; time += 1)
          await run('pdftoppm', ['-jpeg', '-scale-to-x', String(width), '-scale-to-y', '-1', path, join(folder, 'page')]);
        return (cpuMsOfEndedChildren() - before) / pages / times;
      },
      [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
    };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

/** Drawing and encoding together, each at the same width into files or bytes that a viewer takes. */
export const renderPage: Promised = {
  name: 'render-page',
  promise: 'a page of the 20-page statement drawn and encoded, against pdftoppm -jpeg',
  unit: 'ms CPU',
  limit: 1.5,
  rounds: 5,
  open,
};

/** At the width of an ordinary screen. Bytes do not depend on the load of the machine: the same pages give the same images. */
export const renderBytes: Promised = {
  name: 'render-bytes',
  promise: 'the image of a page of the 20-page statement',
  unit: 'kB',
  limit: 230,
  rounds: 1,
  async open() {
    const cleanUp = new AsyncDisposableStack();
    try {
      const { renderer } = await startRenderer(cleanUp);
      return {
        async ours() {
          const { bytes, pages } = rendered.parse(await renderer.ask('render'));
          return bytes / pages / 1_000;
        },
        [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
      };
    } catch (error) {
      await cleanUp.disposeAsync();
      throw error;
    }
  },
};
