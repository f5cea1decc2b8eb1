import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aPdf } from '@pergamin/server/testing/pdfs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let folder: string;

const pergamin = (args: string[], environment = started.environment): Promise<Ended> => runPergamin(args, { folder, environment });

beforeAll(async () => {
  started = await startCliPortal();
  ({ folder } = started);
  await started.portal.addClient('1001', { cif: '7001' });
});
afterAll(() => started[Symbol.asyncDispose]());

const writeManifest = async (name: string, lines: readonly string[], header = 'file;type;cif;uniqueName'): Promise<string> => {
  await mkdir(join(folder, name), { recursive: true });
  for (const nth of [1, 2, 3]) await writeFile(join(folder, name, `${nth}.pdf`), aPdf({ text: `${name} ${nth}` }));
  await writeFile(join(folder, name, `${name}.csv`), [header, ...lines].join('\n'));
  return `${name}/${name}.csv`;
};

const idOf = ({ error }: Ended): string => /^batch ([\da-f-]{36}) /.exec(error)?.[1] ?? '';
const reportOf = async (name: string): Promise<string[][]> =>
  (await readFile(join(folder, name), 'utf8'))
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(','));

test('a wrong batch is withdrawn by its name, and the right one comes in its place', async () => {
  const manifest = await writeManifest('wrong', ['1.pdf;PRIVATE;7001;wrong-1', '2.pdf;PRIVATE;7001;wrong-2']);
  await pergamin(['publish', manifest, '--batch=wrong']);
  expect(await pergamin(['batches', 'withdraw', 'wrong'])).toMatchObject({ code: 2, error: expect.stringContaining('say why') });
  const withdrawn = await pergamin(['batches', 'withdraw', 'wrong', '--reason', 'zły plik', '--to', 'wrong.seen.csv']);
  expect(withdrawn).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^withdrawn \S+  wrong: nobody had opened 2: they left the lists; 0 are/),
  });
  const seen = (await reportOf('wrong.seen.csv')).toSorted(([one = ''], [other = '']) => one.localeCompare(other));
  expect(seen.map((row) => [row[0], row[2], row[3]])).toEqual([
    ['wrong-1', 'CANCELLED', 'no'],
    ['wrong-2', 'CANCELLED', 'no'],
  ]);
  expect((await pergamin(['batches', 'show', 'wrong'])).out).toMatch(/ WITHDRAWN [^]*withdrawn .* by tests [^]*because: zły plik\n/);

  // The same manifest again says what has become of its documents.
  const again = await pergamin(['publish', manifest, '--report', 'again.csv']);
  expect(again).toMatchObject({ code: 1, out: 'published 0, published before 0, refused 2\n' });
  expect((await reportOf('again.csv')).map((row) => [row[1], row[2]])).toEqual([
    ['refused', 'INVALID_STATUS'],
    ['refused', 'INVALID_STATUS'],
  ]);
  expect(again.error).toMatch(/line 2: INVALID_STATUS: published before as \S+, which is CANCELLED and does not come back\n/);
  const single = await pergamin(['publish', 'wrong/1.pdf', '--type', 'PRIVATE', '--cif', '7001', '--unique-name', 'wrong-1']);
  expect(single).toMatchObject({ code: 1, error: expect.stringContaining('which is CANCELLED') });

  const right = await writeManifest(
    'right',
    seen.map((row, nth) => `${nth + 1}.pdf;PRIVATE;7001;${row[0]};${row[1]}`),
    'file;type;cif;uniqueName;replaces',
  );
  expect(await pergamin(['publish', right, '--batch=right'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('published 2 documents'),
  });
  expect(await pergamin(['publish', right, '--batch=right'])).toMatchObject({ code: 0, out: expect.stringContaining('in the batch 2,') });
});

test('--batch= with an id is that batch, for any key; an id that there is not is refused', async () => {
  const manifest = await writeManifest('by-id', ['1.pdf;PRIVATE;7001;by-id-1', '2.pdf;PRIVATE;7001;by-id-2']);
  const sent = await pergamin(['publish', manifest, '--batch=by its name', '--no-commit']);
  const other = { ...started.environment, PERGAMIN_KEY: await started.portal.issueKey(['documents:publish']) };
  expect(await pergamin(['publish', manifest, '--batch=by its name'], other)).toMatchObject({
    code: 1,
    error: expect.stringContaining(idOf(sent)),
  });
  const ended = await pergamin(['publish', manifest, `--batch=${idOf(sent)}`], other);
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(`batch ${idOf(sent)}: published 2 documents`) });
  expect(ended.error).toBe(`batch ${idOf(sent)} goes on, with 2 documents: by its name\n`);
  const unknown = await pergamin(['publish', manifest, '--batch=00000000-0000-4000-8000-000000000000']);
  expect(unknown).toMatchObject({ code: 1, error: expect.stringContaining('RESOURCE_NOT_FOUND') });
});

test('a batch whose key was revoked is continued by another key, by the same words', async () => {
  const manifest = await writeManifest('leaked', ['1.pdf;PRIVATE;7001;leaked-1']);
  const leaked = { ...started.environment, PERGAMIN_KEY: await started.portal.issueKey(['documents:publish']) };
  const sent = await pergamin(['publish', manifest, '--batch=leaked', '--no-commit'], leaked);
  await started.portal.owner.pool.query(
    'update publisher_key set revoked_at = now() where id = (select opened_by from batch where id = $1)',
    [idOf(sent)],
  );
  const ended = await pergamin(['publish', manifest, '--batch=leaked']);
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(`batch ${idOf(sent)}: published 1 document`) });
});
