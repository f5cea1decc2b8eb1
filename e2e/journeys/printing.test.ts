import { expect, type Locator, type Page } from '@playwright/test';
import { createClient } from '../client.ts';
import { forEverybody } from '../combinations.ts';
import { isNight } from '../due.ts';
import { aLongPaper, aPaper, createPerson, publish } from '../publisher.ts';
import { watch } from '../watch.ts';

const named = {
  more: /^(więcej|more)$/i,
  print: /^(drukuj|print)$/i,
  dialog: /^(drukowanie dokumentu|print the document)$/i,
  from: /^(od strony|from page)$/i,
  to: /^(do strony|to page)$/i,
  tooMany: /naraz można wydrukować najwyżej 200|at most 200 pages are printed/i,
  handedOn: /^(strony 1–200 wysłano|pages 1–200 were sent)/i,
} as const;

const pageCount = 203;

/** By day every page is there at once, white, and none is drawn or fetched: two hundred are for the night. */
const drawAtOnce = async (page: Page, id: string): Promise<void> => {
  const images = `/api/protected/documents/render/page/${id}/`;
  const sources = Array.from({ length: pageCount }, (_, index) => ({ page: index + 1, url: `${images}${index + 1}?width=1240` }));
  await page.route(`**/render/queue/result/${id}*`, (route) => route.fulfill({ json: { done: true, progress: 100, sources } }));
  await page.addInitScript((path) => {
    const { fetch } = globalThis;
    const white = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=';
    const answer = (): Response =>
      new Response(
        Uint8Array.from(atob(white), (char) => char.charCodeAt(0)),
        { headers: { 'content-type': 'image/png' } },
      );
    globalThis.fetch = async (input, init) =>
      String(input instanceof Request ? input.url : input).includes(path) ? answer() : fetch(input, init);
  }, images);
};

const windowNamed = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

forEverybody(
  'two documents side by side, and printing a long one in parts, are for everybody',
  async ({ page, language, phone }) => {
    // The browser's own dialog is not a part of the page; closing it is told to the page.
    await page.addInitScript(() => Object.assign(globalThis, { print: () => dispatchEvent(new Event('afterprint')) }));
    const looking = await watch(page);
    const client = createClient(page, language);
    const person = await createPerson();
    const [long, short] = ['Regulamin świadczenia usług', 'Aneks do umowy'];
    const ofLong = await publish(aLongPaper(pageCount), { cif: person.cif, name: `${long}.pdf`, meta: {} });
    const ofShort = await publish(await aPaper(2), { cif: person.cif, name: `${short}.pdf`, meta: {} });
    if (!isNight) await drawAtOnce(page, ofLong.id);
    await client.startsAtTheDesk(person);

    for (const [name, { id }] of [
      [short, ofShort],
      [long, ofLong],
    ] as const) {
      await page.goto(`/#open=document:${id}`);
      await expect(windowNamed(page, name).getByRole('img').first()).toBeVisible();
    }
    // On a phone the one in front is all that there is.
    await looking.screenIsAccessible('two documents', { overlapping: true });

    const viewer = windowNamed(page, long);
    const print = phone ? page.getByRole('menuitem', { name: named.print }) : viewer.getByRole('button', { name: named.print });
    const more = viewer.getByRole('button', { name: named.more });
    if (phone) await more.click();
    // It can be printed once all of its pages are there; until then it says so.
    await expect(print).toHaveAccessibleDescription('', { timeout: 120_000 });
    await print.click();
    const dialog = page.getByRole('dialog', { name: named.dialog });
    const from = dialog.getByRole('textbox', { name: named.from });
    const to = dialog.getByRole('textbox', { name: named.to });
    await expect(from).toHaveValue('1');
    await looking.screenIsAccessible('the dialog that prints');

    await to.fill('203');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(named.tooMany)).toBeVisible();
    await looking.screenIsAccessible('more pages than are printed at once');
    await to.fill('200');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(named.handedOn)).toBeVisible({ timeout: 60_000 });
    await expect(from).toHaveValue('201');
    await expect(to).toHaveValue('203');
    await looking.screenIsAccessible('the next pages to be printed');

    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(phone ? more : print).toBeFocused();
    looking.nothingWentWrong();
  },
  { byDay: 'EN, dark, phone' },
);
