import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { isNightly } from '#testing/nightly.ts';
import { pdfCorpus } from '#testing/pdf-corpus.ts';
import { createInspectionEngine } from './inspection-engine.ts';
import { createPdfPool } from './pdf-pool.ts';
import type { Pdfium } from './pdfium.ts';

const anEngine = (bytes = 1_000) => {
  let made = 0;
  const engines = createInspectionEngine(async () => {
    made += 1;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is looked at
    return { bytes: () => ({ length: bytes }) } as Pdfium;
  });
  return {
    ...engines,
    made: () => made,
    inspect: async (owner: string): Promise<void> => engines.giveBack(await engines.take(owner)),
  };
};

test('documents of one owner share an engine, up to two hundred of them', async () => {
  const engines = anEngine();
  for (let document = 0; document < 200; document += 1) await engines.inspect('bank');
  expect(engines.made()).toBe(1);
  await engines.inspect('bank');
  expect(engines.made()).toBe(2);
});

test('another owner gets another engine, and so does the first one after that', async () => {
  const engines = anEngine();
  for (const owner of ['bank', 'insurer', 'bank']) await engines.inspect(owner);
  expect(engines.made()).toBe(3);
});

test('an engine that was not given back, that was dropped, or that has grown, is used no more', async () => {
  const [failed, dropped, grown] = [anEngine(), anEngine(), anEngine(65 * 1024 * 1024)];
  await failed.take('bank');
  await dropped.inspect('bank');
  dropped.drop();
  await grown.inspect('bank');
  for (const engines of [failed, dropped, grown]) await engines.inspect('bank');
  expect([failed, dropped, grown].map(({ made }) => made())).toEqual([2, 2, 2]);
});

test('what an inspection finds does not depend on which documents the engine had before', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'inspection-engine-'));
  const pool = createPdfPool({ log: silentLog(), workers: 1 });
  onTestFinished(async () => {
    await pool.close();
    await rm(folder, { recursive: true });
  });
  const files = pdfCorpus.filter((_, index) => isNightly || index % 6 === 0);
  const outcome = async (path: string, engineOf?: string): Promise<unknown> =>
    pool.inspect({ path, cpuMs: 10_000, ...(engineOf === undefined ? {} : { engineOf }) }).catch(String);
  const found: { name: string; own: unknown; shared: unknown }[] = [];
  for (const [index, file] of files.entries()) {
    const path = join(folder, `${index}.pdf`);
    await writeFile(path, file.read());
    found.push({ name: file.name, shared: await outcome(path, 'bank'), own: undefined });
  }
  for (const [index, one] of found.entries()) one.own = await outcome(join(folder, `${index}.pdf`));
  expect(found.map(({ name, shared }) => [name, shared])).toEqual(found.map(({ name, own }) => [name, own]));
  expect(found.filter(({ own }) => typeof own === 'object').length).toBeGreaterThan(files.length / 2);
});
