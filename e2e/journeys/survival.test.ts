import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { createClient } from '../client.ts';
import { notDue } from '../due.ts';
import { leadTo, startProduct, type RunningProduct } from '../product.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';

test.setTimeout(120_000);
// One product for both of them.
test.describe.configure({ mode: 'default' });

const logFile = path.join(import.meta.dirname, '../test-results/survival.log');

/** Processes that were started for this data folder, by their environment, their command line or an open file below it. */
const processesOf = async (folder: string): Promise<string[]> => {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    const read = (file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
    if (/^State:\s+Z/m.test(await read('status'))) continue;
    const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    // Not this journey's browser, which has inherited where the publisher's key is.
    const environment = (await read('environ')).split('\0').filter((line) => !line.startsWith('PERGAMIN_DATA_DIR='));
    if ([...environment, await read('cmdline'), workingFolder].some((text) => text.includes(folder)))
      found.push(`${pid} ${(await read('cmdline')).replaceAll('\0', ' ')}`);
  }
  return found;
};

let dataFolder: string;
let instanceFolder: string;
let product: RunningProduct;
let leadBack: (() => void) | undefined;

const start = async (): Promise<void> => {
  const port = product === undefined ? {} : { port: Number(new URL(product.url).port) };
  product = await startProduct({ dataFolder, logFile, environment: { DEMO: 'off' }, ...port });
};

test.beforeAll(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'pergamin-survival-'));
  await start();
  leadBack = leadTo(product, dataFolder);
  instanceFolder = (await readFile(path.join(dataFolder, 'instance'), 'utf8').catch(() => dataFolder)).trim();
});

test.afterAll(async () => {
  leadBack?.();
  await product.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

// A time is judged. By day the tests of durability, of jobs and of the embedded PostgreSQL say the rest.
test(
  'killed while it draws pages, the portal is gone at once; after a start the pages come within 15 seconds, and what was acknowledged is there',
  {
    tag: [notDue.byDay],
  },
  async ({ browser }) => {
    const person = await createPerson();
    const paper = await aPaper(15);
    const name = 'Wyciąg roczny';
    await publish(paper, { cif: person.cif, name: `${name}.pdf`, meta: {} });
    const small = await aPaper(1);
    const last = { cif: person.cif, name: 'Potwierdzenie.pdf', meta: {}, uniqueName: `survival-${person.cif}` };
    const page = await browser.newPage({ baseURL: product.url });
    const client = createClient(page);
    await client.startsAtTheDesk(person);
    await client.opensReceivedDocuments();
    const asked = page.waitForRequest(/render\/queue\/result/);
    await client.chooses('show', name);
    await asked;
    const acknowledged = await publish(small, last);

    await product.kill();
    await expect.poll(() => processesOf(dataFolder), { timeout: 5_000 }).toEqual([]);
    if (instanceFolder !== dataFolder) await expect.poll(() => processesOf(instanceFolder), { timeout: 5_000 }).toEqual([]);

    await start();
    const restarted = Date.now();
    await page.reload();
    // The windows that were open come back by themselves.
    const window = page.getByRole('region', { name });
    await expect(window.getByRole('img').first()).toBeVisible({ timeout: 15_000 });
    expect(Date.now() - restarted).toBeLessThan(15_000);
    expect((await publish(small, last)).id).toBe(acknowledged.id);
    await page.close();
  },
);

// By day the test of the embedded PostgreSQL says so.
test('a second start on the same data folder says that the first is running', { tag: [notDue.byDay] }, async () => {
  const second = startProduct({ dataFolder, logFile: `${logFile}.second`, environment: { DEMO: 'off' } });
  await expect(second).rejects.toThrow(/already running/i);
});
