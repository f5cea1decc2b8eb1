import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { createClient } from '../client.ts';
import { forEverybody } from '../combinations.ts';
import { forScreen, isNight } from '../due.ts';
import { freePort, leadTo, type RunningProduct, startProduct } from '../product.ts';
import { aPaper, createPerson, publishStatute } from '../publisher.ts';
import { watch } from '../watch.ts';

/** New versions of the terms, before and on their day (C3). */

let product: RunningProduct;
// Playwright asks for the address of the product before it is started.
const port = await freePort();

/** Noon of a day some weeks ahead, which is the same day everywhere that matters. */
const dayAhead = (): Date => new Date(`${new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 7)}-15T12:00:00+01:00`);

// A product of their own takes seconds to start: one worker goes through all of them.
test.describe.configure({ mode: 'default' });

let dataFolder: string;
let leadBack: (() => void) | undefined;

test.beforeAll(async () => {
  dataFolder = await mkdtemp(path.join(tmpdir(), 'pergamin-versions-'));
  const logFile = path.join(import.meta.dirname, '../test-results/versions.log');
  product = await startProduct({ dataFolder, logFile, port, environment: { DEMO: 'off' } });
  leadBack = leadTo(product, dataFolder);
  const paper = await aPaper(2);
  await publishStatute(paper, { version: '1' });
  await publishStatute(paper, { version: '2', effectiveFrom: dayAhead(), changes: 'Dodano § 4 o powiadomieniach.' });
});

test.afterAll(async () => {
  leadBack?.();
  await product.stop();
  await rm(dataFolder, { recursive: true, force: true });
});

test.use({ baseURL: `http://localhost:${port}` });

const named = {
  notice: /obowiązuje nowy regulamin|new terms apply from/i,
  ahead: /^(regulamin, wersja|terms, version) 2$/i,
  read: /przeczytaj i\szaakceptuj teraz|read and accept now/i,
  later: /^(później|later)$/i,
  accept: /^(akceptuję|accept)$/i,
  accepted: /regulamin został zaakceptowany|the terms have been accepted/i,
  news: 'Dodano § 4 o powiadomieniach.',
} as const;

const noticeOf = (page: Page): Locator => page.getByRole('region', { name: named.notice }).first();
const aheadOf = (page: Page): Locator => page.getByRole('region', { name: named.ahead }).first();

forEverybody(
  'the next terms are told, put off, told again, and accepted before their day',
  async ({ page, language }) => {
    const looking = await watch(page);
    const client = createClient(page, language);
    const person = await createPerson();
    const date = dayAhead().toISOString().slice(0, 10);

    await client.startsAtTheDesk(person);
    await expect(noticeOf(page)).toContainText(date);
    await looking.screenIsAccessible('the desk with the notice');

    await noticeOf(page).getByRole('button', { name: named.read }).click();
    await expect(aheadOf(page).getByRole('img').first()).toBeVisible();
    await looking.screenIsAccessible('the next terms');
    await aheadOf(page).getByRole('button', { name: named.later }).click();
    await expect(aheadOf(page)).toBeHidden();
    await expect(noticeOf(page)).toBeHidden();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(noticeOf(page)).toBeHidden();

    await client.logsOut();
    await client.signsIn(person);
    await noticeOf(page).getByRole('button', { name: named.read }).click();
    const accept = aheadOf(page).getByRole('button', { name: named.accept });
    await client.reachesEveryPageOf(aheadOf(page), accept);
    await accept.click();
    await expect(page.getByText(named.accepted)).toBeVisible();
    await expect(aheadOf(page)).toBeHidden();
    await expect(noticeOf(page)).toBeHidden();
    await client.dismissesMessages();

    if (isNight) {
      await client.logsOut();
      await client.signsIn(person);
    } else await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await client.opensReceivedDocuments();
    await expect(noticeOf(page)).toBeHidden();
    looking.nothingWentWrong();
  },
  { byDay: 'PL, light, desktop' },
);

test('terms that take effect in the middle of a session open before everything else', { tag: forScreen('desktop') }, async ({ page }) => {
  const client = createClient(page);
  const person = await createPerson();
  await client.startsAtTheDesk(person);
  await noticeOf(page).getByRole('button', { name: named.later }).click();
  await publishStatute(await aPaper(2), { version: '1a' });
  // The desk may have asked for something by itself before the press: there is no button any more then.
  await page.getByRole('button', { name: /otrzymane/i }).evaluateAll(([tile]) => tile instanceof HTMLElement && tile.click());
  const statute = page.getByRole('region', { name: 'Regulamin, wersja 1a' });
  await expect(statute).toBeVisible();
  await expect(page.getByRole('button', { name: /otrzymane/i })).toHaveCount(0);
  await client.readsAndAcceptsTheStatute();
  await client.opensReceivedDocuments();
});
