import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { createMetrics } from '#platform/metrics/metrics.ts';
import { mountSmallDisk, type SmallDisk } from '#testing/small-disk.ts';
import { watchDisks } from './disk-watch.ts';

let dataDir: string;
let disk: SmallDisk | undefined;
const lines: Record<string, unknown>[] = [];
const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pergamin-disks-'));
  disk = await mountSmallDisk(4);
});
afterAll(async () => {
  await disk?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

const watch = (folders: Record<string, string>) => watchDisks({ folders, reservePercent: 10, log, freshMs: 0 });

test('folders on one disk are told once, as the data folder, and nothing is left behind in it', async () => {
  await mkdir(join(dataDir, 'objects'), { recursive: true });
  const disks = watch({ data: dataDir, objects: join(dataDir, 'objects'), ledger: join(dataDir, 'none') });
  const standings = await disks.look();
  disks.stop();
  expect(standings).toMatchObject([{ folder: 'data', isWritable: true }]);
  expect(await readdir(dataDir)).toEqual(['objects']);
});

test('a folder that is not there cannot be written, and is an alarm', async () => {
  const disks = watch({ data: join(dataDir, 'gone') });
  expect(await disks.look()).toMatchObject([{ folder: 'data', isWritable: false }]);
  disks.stop();
  expect(lines.at(-1)).toMatchObject({ level: 50, alarm: 'disk', folder: 'data', msg: 'a disk cannot be written' });
});

test('a disk that fills, and one that can only be read, is an alarm when it begins, a line when it is over, and a metric', async ({
  skip,
}) => {
  if (disk === undefined) {
    skip();
    return;
  }
  lines.length = 0;
  const disks = watch({ data: dataDir, ledger: disk.folder });
  const metrics = createMetrics();
  metrics.observeDisks(() => disks.look());
  const look = async () => (await disks.look()).find(({ folder }) => folder === 'ledger');
  expect(await look()).toMatchObject({ isWritable: true, isNearlyFull: false });
  await disk.fillTo(5);
  expect(await look()).toMatchObject({ isWritable: true, isNearlyFull: true });
  await look();
  await disk.empty();
  await look();
  await disk.allowWriting(false);
  expect(await look()).toMatchObject({ isWritable: false });
  const told = await metrics.registry.metrics();
  expect(told).toMatch(/^pergamin_disk_writable\{folder="ledger"\} 0$/m);
  expect(told).toMatch(/^pergamin_disk_free_share\{folder="ledger"\} (0\.9|1)/m);
  expect(told).toMatch(/^pergamin_disk_free_bytes\{folder="data"\} [1-9]/m);
  await disk.allowWriting(true);
  await look();
  disks.stop();
  const ofLedger = lines.filter(({ folder }) => folder === 'ledger');
  expect(ofLedger.map(({ level, msg }) => [level, msg])).toEqual([
    [50, 'a disk is nearly full'],
    [40, 'a disk is well again'],
    [50, 'a disk cannot be written'],
    [40, 'a disk is well again'],
  ]);
});
