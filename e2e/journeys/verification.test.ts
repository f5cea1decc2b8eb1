import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { forEverybody } from '../combinations.ts';
import { byDayOn, forScreen } from '../due.ts';
import { createKeyboard } from '../keyboard.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

/** Verification by file and by checksum (A6, G2 to G6), and the history of a document (G3). */

const words = {
  PL: {
    title: 'Weryfikacja dokumentu',
    way: 'Suma kontrolna',
    field: 'Suma kontrolna SHA-256',
    check: 'Zweryfikuj',
    choose: 'Wybierz pliki',
    ok: 'Dokument został pomyślnie zweryfikowany',
    none: 'Nie opublikowaliśmy tego pliku',
    empty: 'Wartość nie może być pusta',
    invalid: 'Nieprawidłowa suma kontrolna dokumentu',
    open: 'Otwórz dokument',
    close: 'Zamknij',
  },
  EN: {
    title: 'document verification',
    way: 'Checksum',
    field: 'SHA-256 checksum',
    check: 'Verify',
    choose: 'Choose files',
    ok: 'The document was correctly verified',
    none: 'We did not publish this file',
    empty: 'Value cannot be null',
    invalid: 'Invalid document checksum',
    open: 'Open the document',
    close: 'close',
  },
} as const;

/** What everybody may have, by its very bytes. */
const aPublicPaper = async (page: Page): Promise<{ bytes: Buffer; sha256: string }> => {
  const listed = await page.request.post('/api/open/documents/list', { data: {} });
  const { items } = (await listed.json()) as { items: { id: string; metadata: Record<string, string> }[] };
  const [paper] = items;
  if (paper === undefined) throw new Error('there is no public document');
  const bytes = await (await page.request.get(`/api/open/documents/download/${paper.id}`)).body();
  return { bytes, sha256: paper.metadata['CHECKSUM_SHA256'] ?? '' };
};

const chooseFile = async (page: Page, place: Locator, button: string, file: { name: string; bytes: Buffer } | string): Promise<void> => {
  const chooser = page.waitForEvent('filechooser');
  await place.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(typeof file === 'string' ? file : { name: file.name, mimeType: 'application/pdf', buffer: file.bytes });
};

let customers = 0;
/** Each verifies from a network of its own: one may do so a few times a minute. Only the product of the night believes it. */
const comeFromAnotherNetwork = (page: Page): Promise<void> =>
  page.setExtraHTTPHeaders({ 'X-Forwarded-For': `10.0.${test.info().workerIndex}.${(customers += 1)}` });

forEverybody(
  'anybody verifies a public document, by file and by checksum',
  async ({ page, language }) => {
    const said = words[language];
    const looking = await watch(page);
    await comeFromAnotherNetwork(page);
    const { bytes, sha256 } = await aPublicPaper(page);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    const main = page.getByRole('main');
    const keys = createKeyboard(page);
    await page.goto('/login-ex');
    if (language === 'EN') await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('link', { name: said.title }).click();
    await expect(page.getByRole('heading', { level: 1, name: said.title })).toBeVisible();
    await expect(page).toHaveURL(/\/verify$/);
    await looking.screenIsAccessible('verification before anything was verified');

    await test.step('by file, which never leaves the browser', async () => {
      await chooseFile(page, main, said.choose, { name: 'kopia.pdf', bytes });
      await expect(page.getByRole('heading', { name: said.ok })).toBeVisible();
      await looking.screenIsAccessible('a document that was verified');
      expect(sent.filter((body) => body !== '')).toEqual([JSON.stringify({ sha256 })]);
    });

    await test.step('the document is opened, and closed again', async () => {
      await page.getByRole('button', { name: said.open }).click();
      await expect(page.getByRole('img').first().or(page.locator('canvas').first())).toBeVisible();
      await page.getByRole('button', { name: said.close, exact: true }).click();
      await expect(page.getByRole('button', { name: said.open })).toBeFocused();
    });

    await test.step('by checksum, without a mouse', async () => {
      await page.getByRole('tab').first().focus();
      await keys.press('ArrowRight');
      await expect(page.getByRole('tab', { name: said.way })).toBeFocused();
      await keys.tabsTo(page.getByRole('textbox', { name: said.field }));
      await keys.press('Enter');
      await expect(main.getByText(said.empty)).toBeVisible();
      await keys.type('31fc 0759');
      await keys.press('Enter');
      await expect(main.getByText(said.invalid)).toBeVisible();
      await looking.screenIsAccessible('a checksum that is none');
      await keys.press('ControlOrMeta+A');
      // One digit of it is another one: a changed file.
      await keys.type(`${sha256.startsWith('0') ? '1' : '0'}${sha256.slice(1)}`);
      await keys.press('Enter');
      await expect(page.getByRole('heading', { name: said.none })).toBeVisible();
      await looking.screenIsAccessible('a file that was never published');
    });
    looking.nothingWentWrong();
  },
  { byDay: 'PL, dark, desktop' },
);

test('the public documents lead to the verification, and back, and to the sign-in', { tag: byDayOn('phone') }, async ({ page }) => {
  const looking = await watch(page);
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1, name: 'Dokumenty publiczne' })).toBeVisible();
  // The rows push the links at the end of the page down.
  await expect(page.getByRole('navigation', { name: /^strony listy/i })).toBeVisible();
  await page.getByRole('link', { name: words.PL.title }).click();
  await expect(page.getByRole('heading', { level: 1, name: words.PL.title })).toBeVisible();
  await page.getByRole('link', { name: 'Dokumenty publiczne' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('button', { name: 'Zaloguj się' }).click();
  await expect(page).toHaveURL(/\/login-ex$/);
  await expect(page.getByLabel('Wpisz swój identyfikator')).toBeVisible();
  looking.nothingWentWrong();
});

test(
  'a client verifies an own document in a window, opens it, and finds what happened to it',
  { tag: byDayOn('desktop') },
  async ({ page, isMobile }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const looking = await watch(page);
    const client = createClient(page);
    const said = words.PL;
    const person = await createPerson();
    const name = `Aneks ${person.cif}`;
    // Unique bytes: no other document has this checksum.
    const bytes = Buffer.concat([await aPaper(1), Buffer.from(`\n% ${randomBytes(8).toString('hex')}\n`)]);
    await publish(bytes, { cif: person.cif, name: `${name}.pdf`, meta: {} });
    await client.startsAtTheDesk(person);

    const window = page.getByRole('region', { name: said.title }).first();
    if (isMobile) {
      await page.getByRole('button', { name: 'Otwórz menu' }).click();
      await page.getByRole('dialog').getByRole('button', { name: said.title }).click();
    } else {
      await page.getByRole('button', { name: 'Dokumenty', exact: true }).first().click();
      await page.getByRole('menuitem', { name: said.title }).click();
    }
    await expect(window).toBeVisible();
    await looking.screenIsAccessible('the window of verification');
    await chooseFile(page, window, said.choose, { name: 'kopia.pdf', bytes });
    await expect(window.getByRole('heading', { name: said.ok })).toBeVisible();
    await expect(window.getByText('Dokument opublikowano dla Ciebie.')).toBeVisible();
    await looking.screenIsAccessible('an own document that was verified');

    await test.step('its very bytes are downloaded', async () => {
      const saved = page.waitForEvent('download');
      await window.getByRole('button', { name: 'Pobierz', exact: true }).click();
      expect(await readFile(await (await saved).path())).toEqual(bytes);
    });

    await test.step('a changed copy is shown beside the original: two seals, two checksums', async () => {
      await chooseFile(page, window, said.choose, { name: `${name} (1).pdf`, bytes: Buffer.concat([bytes, Buffer.from('%')]) });
      await expect(window.getByRole('heading', { name: said.none })).toBeVisible();
      await expect(window.getByText('Suma kontrolna SHA-256 opublikowanego pliku')).toBeVisible();
      await expect(window.getByText('Suma kontrolna SHA-256 Twojego pliku')).toBeVisible();
      await expect(window.getByRole('button', { name: 'Pobierz oryginał' })).toBeVisible();
      await looking.screenIsAccessible('a changed copy beside its original');
    });

    let receipt = Buffer.alloc(0);
    await test.step('it opens, and its details end with its history', async () => {
      await window.getByRole('button', { name: said.open }).click();
      const document = page.getByRole('region', { name });
      await expect(document.getByRole('img').first()).toBeVisible();
      const history = document.getByRole('region', { name: 'Historia dokumentu' });
      await document.getByRole('button', { name: 'Szczegóły dokumentu' }).click();
      await expect(history.getByText('Data publikacji')).toBeVisible();
      await expect(history.getByText('Pobrano po raz pierwszy')).toBeVisible();
      await looking.screenIsAccessible('the history of a document', { overlapping: true });
      const saved = page.waitForEvent('download');
      await document.getByRole('button', { name: 'Pobierz potwierdzenie' }).first().click();
      expect((await saved).suggestedFilename()).toBe(`${name}.pdf.tlog-proof`);
      receipt = await readFile(await (await saved).path());
    });

    await test.step('its receipt proves the file on the public page', async () => {
      await page.goto('/verify');
      await page.getByRole('tab', { name: 'Potwierdzenie' }).click();
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: said.choose }).click();
      await (
        await chooser
      ).setFiles([
        { name: 'kopia.pdf', mimeType: 'application/pdf', buffer: bytes },
        { name: 'kopia.pdf.tlog-proof', mimeType: 'text/plain', buffer: receipt },
      ]);
      await expect(page.getByRole('heading', { name: 'Potwierdzenie dowodzi, że ten plik opublikowano' })).toBeVisible();
      await expect(page.getByText('Klucze pochodzą z tego portalu', { exact: false })).toBeVisible();
      await looking.screenIsAccessible('a file that its receipt proves');
    });

    await test.step('the menu of its row leads to its history, too', async () => {
      await page.goto('/#open=received');
      const list = page.getByRole('region', { name: 'Dokumenty otrzymane' }).first();
      const row = list.getByRole(isMobile ? 'listitem' : 'row').filter({ hasText: name });
      await row.getByRole('button', { name: `Więcej działań: ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Historia dokumentu' }).click();
      const history = page.getByRole('region', { name: `Historia: ${name}` });
      await expect(history.getByText('Pobrano po raz pierwszy')).toBeVisible();
      await looking.screenIsAccessible('the history of a document by itself', { overlapping: true });
    });
    looking.nothingWentWrong();
  },
);

test(
  'half a gigabyte is hashed while the page goes on, without being held in memory',
  { tag: forScreen('desktop', 'at night') },
  async ({ page }) => {
    // Seconds on a machine of one's own; one that others use, too, is slow and not wrong.
    test.setTimeout(400_000);
    const folder = await mkdtemp(path.join(tmpdir(), 'pergamin-large-'));
    try {
      const file = path.join(folder, 'archiwum.pdf');
      await writeFile(file, '%PDF-1.7\n');
      await truncate(file, 500 * 1024 * 1024);
      const said = words.PL;
      await page.goto('/verify');
      const main = page.getByRole('main');
      await expect(main.getByRole('button', { name: said.choose })).toBeVisible();
      const memory = await memoryOf(page);
      await page.evaluate(() => {
        const seen = { longestMs: 0, last: performance.now() };
        Object.assign(globalThis, { seen });
        const look = (): void => {
          const now = performance.now();
          seen.longestMs = Math.max(seen.longestMs, now - seen.last);
          seen.last = now;
          setTimeout(look, 10);
        };
        look();
      });
      await chooseFile(page, main, said.choose, file);
      await expect(main.getByRole('progressbar')).toBeVisible();
      const begunMs = Date.now();
      let maxMb = 0;
      const begunMb = await memory();
      // While it is under way the page takes input, and another file can be handed in.
      await expect(async () => {
        maxMb = Math.max(maxMb, await memory());
        await expect(page.getByRole('heading', { name: said.none })).toBeVisible({ timeout: 100 });
      }).toPass({ timeout: 300_000, intervals: [250] });
      const tookMs = Date.now() - begunMs;
      const longestMs = await page.evaluate(() => (Reflect.get(globalThis, 'seen') as { longestMs: number }).longestMs);
      const figures = `${Math.round(maxMb - begunMb)} MB more, ${tookMs} ms, the longest pause of the page ${longestMs.toFixed(0)} ms`;
      test.info().annotations.push({ type: 'figures', description: figures });
      expect(maxMb - begunMb, figures).toBeLessThan(200);
      // Other load on the machine makes both longer; hashing on the main thread would be one pause from beginning to end.
      expect(longestMs, figures).toBeLessThan(tookMs / 10);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** Answers how much memory the page's process holds now, in MB. */
const memoryOf = async (page: Page): Promise<() => Promise<number>> => {
  const browser = page.context().browser();
  if (browser === null) throw new Error('there is no browser');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  return async () => {
    const held = await Promise.all(
      renderers.map(async (id) => {
        const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
        return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
      }),
    );
    return held.reduce((total, one) => total + one, 0);
  };
};
