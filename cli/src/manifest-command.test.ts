import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';
import { type ManifestJob, runManifest } from './manifest-command.ts';
import type { ManifestFiles } from './manifest-files.ts';
import type { ManifestLine } from './manifest-lines.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-report-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** More than one check, so that the last lines are not read when the second one breaks off. */
const count = 1_600;

const linesOf = async function* (): AsyncGenerator<ManifestLine> {
  for (let line = 1; line <= count; line += 1)
    yield line === 7
      ? { line, problem: 'cif: must be 1 to 32 letters' }
      : {
          line,
          record: { file: `${line}.pdf`, fileName: `${line}.pdf`, type: 'PRIVATE', cif: '7001', uniqueName: `u-${line}`, metadata: {} },
        };
};

const jobOf = (reportPath: string, more: Partial<ManifestJob>): ManifestJob => ({
  lines: linesOf(),
  total: count,
  files: { hash: async () => ({ sha256: 'ab'.repeat(32), size: 10 }) } satisfies Pick<ManifestFiles, 'hash'> as unknown as ManifestFiles,
  connection: { call: async () => ({ refused: [], published: [] }) as never } satisfies Pick<Connection, 'call'> as unknown as Connection,
  isDry: false,
  atOnce: 4,
  reportPath,
  ...more,
});

const rowsOf = async (path: string): Promise<string[][]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','));

test.each<[string, Partial<ManifestJob>]>([
  ['before anything was read', { openSending: () => Promise.reject(new RefusedError('the portal is gone')) }],
  [
    'while the lines were judged',
    {
      connection: (() => {
        let checks = 0;
        const call = async () => {
          checks += 1;
          if (checks === 2) throw new RefusedError('the portal is gone', { status: 403 });
          return { refused: [], published: [] } as never;
        };
        return { call } satisfies Pick<Connection, 'call'> as unknown as Connection;
      })(),
    },
  ],
  [
    'while documents were sent',
    {
      openSending: async ({ onOutcome }) => ({
        find: () => undefined,
        async send([first]) {
          onOutcome({ line: first?.line ?? 0, kind: 'published', id: 'an id', flags: [] });
          throw new RefusedError('the portal is gone');
        },
      }),
    },
  ],
])('the report of a run that broke off %s has a row for every line', async (when, more) => {
  const path = join(folder, `${when}.csv`);
  await expect(runManifest(jobOf(path, more))).rejects.toThrow('the portal is gone');
  const rows = await rowsOf(path);
  expect(rows.map(([line]) => Number(line)).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: count }, (_, nth) => nth + 1),
  );
  const unsettled = rows.filter(([, outcome]) => outcome === 'unsettled');
  expect(unsettled.length).toBeGreaterThan(count - 3);
  expect(unsettled[0]?.[3]).toBe('the run broke off: the portal is gone');
});
