import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { openCustomersPortal, signInAt } from './customer.ts';
import { floorMs, openFloor, openTablePage } from './list-table.ts';
import { countMainThread, measureMainThread } from './main-thread.ts';
import { PeerAbsent, type Measuring, type Promised } from './promise.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const viewport = { width: 1_366, height: 768 };
/** So many that the list has a second page. */
const documents = 24;
const warmUps = 3;
const longestMs = 20_000;

/** One thing that a customer does; scripts run in the page, where looking from outside would be work of its main thread, too. */
interface Interaction {
  /** What the page must show beforehand; run once before each measurement. */
  readonly prepare: (page: Page, round: number) => Promise<void>;
  /** Does it, at once. */
  readonly act: (round: number) => string;
  /** What is different once the page shows the result. */
  readonly shown: string;
}

/** Resolves after the frame that shows the result has been painted. */
const scriptOf = ({ act, shown }: Interaction, round: number): string => `new Promise((resolve, reject) => {
  const shown = () => ${shown};
  const before = shown();
  const changes = new MutationObserver(() => {
    const now = shown();
    if (now === before || now === undefined) return;
    changes.disconnect();
    clearTimeout(late);
    requestAnimationFrame(() => setTimeout(resolve));
  });
  const late = setTimeout(() => reject(new Error('nothing came of it')), ${longestMs});
  changes.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  ${act(round)};
})`;

const pressed = (selector: string, at = 0): string => `document.querySelectorAll(${JSON.stringify(selector)})[${at}].click()`;
const list = '[data-window="received"]';
const firstRow = `document.querySelector('${list} tbody tr')?.textContent`;

const openList = async (page: Page): Promise<void> => {
  if (!(await page.locator(list).isVisible())) await page.getByRole('button', { name: 'Otrzymane' }).first().click();
  await page.locator(`${list} tbody tr`).nth(1).waitFor();
};
const closeDocuments = async (page: Page): Promise<void> => {
  const windows = page.locator('[data-window^="document:"]');
  while ((await windows.count()) > 0) {
    const left = await windows.count();
    await windows
      .last()
      .getByRole('button', { name: /^Zamknij:/ })
      .first()
      .click();
    await windows.nth(left - 1).waitFor({ state: 'detached' });
  }
};
const typed = (text: string): string => `{
  const field = document.querySelector('${list} input[type="search"]');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)});
  field.dispatchEvent(new Event('input', { bubbles: true }));
}`;

const actions = {
  page: {
    prepare: openList,
    act: (round) => pressed(`${list} button[aria-label="${round % 2 === 0 ? 'Następna' : 'Poprzednia'} strona"]`),
    shown: firstRow,
  },
  search: {
    prepare: async (page, round) => {
      if (round === 0) await openList(page);
    },
    act: (round) => typed(round % 2 === 0 ? 'aneks' : ''),
    shown: `document.querySelectorAll('${list} tbody tr').length + '' + ${firstRow}`,
  },
  open: {
    prepare: async (page) => {
      await closeDocuments(page);
      await openList(page);
    },
    act: (round) => pressed(`${list} [data-row-opener]`, round % 5),
    shown: `document.querySelector('[data-window^="document:"] h2')?.textContent`,
  },
  zoom: {
    prepare: async (page) => {
      if ((await page.locator('[data-window^="document:"]').count()) === 0) {
        await openList(page);
        await page.locator(`${list} [data-row-opener]`).first().click();
      }
      await page.locator('li[data-page="1"] img').waitFor();
    },
    act: (round) => pressed(`button[aria-label="${round % 2 === 0 ? 'Powiększ' : 'Pomniejsz'}"]`),
    shown: `document.querySelector('li[data-page="1"]')?.style.width`,
  },
  palette: {
    prepare: (page) => page.keyboard.press('Escape'),
    act: () => `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true }))`,
    shown: `document.querySelector('[role="dialog"] [role="combobox"]')?.id`,
  },
  'first-list': {
    prepare: async (page) => {
      await page.evaluate(
        `for (const key of Object.keys(sessionStorage)) if (key.startsWith('pergamin.layout')) sessionStorage.removeItem(key)`,
      );
      await page.reload();
      await page.getByRole('button', { name: 'Otrzymane' }).first().waitFor();
      await page.waitForLoadState('networkidle');
    },
    act: () => pressed('[data-opener="tile:received"]'),
    shown: `document.querySelector('${list} h2')?.textContent`,
  },
} as const satisfies Readonly<Record<string, Interaction>>;

const open = async (interaction: Interaction): Promise<Measuring> => {
  if (!existsSync(chromiumPath)) throw new PeerAbsent(`there is no Chromium at ${chromiumPath}`);
  if (!existsSync(join(root, 'web/dist/index.html'))) throw new PeerAbsent('web/dist has not been built');
  const cleanUp = new AsyncDisposableStack();
  try {
    const portal = cleanUp.use(await openCustomersPortal(documents));
    const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false, args: ['--disable-gpu'] });
    cleanUp.defer(() => browser.close());
    const page = await browser.newPage({ viewport, locale: 'pl-PL' });
    const session: CDPSession = await page.context().newCDPSession(page);
    await signInAt(page, portal);
    await countMainThread(session);
    let round = 0;
    const ours = async (): Promise<number> => {
      await page.bringToFront();
      await interaction.prepare(page, round);
      const ms = await measureMainThread({ page, session }, scriptOf(interaction, round));
      round += 1;
      return ms;
    };
    for (let i = 0; i < warmUps; i += 1) await ours();
    const floor = await openFloor(cleanUp.use(await openTablePage()));
    return { ours, floor, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

const promiseOf = (name: keyof typeof actions, promise: string, limit: number): Promised => ({
  name: `interaction:${name}`,
  promise: `${promise}, processor time of the main thread × 4`,
  unit: 'ms',
  limit,
  limitAtFloor: floorMs,
  rounds: 7,
  open: () => open(actions[name]),
});

/** In the product itself, from what a customer does to the paint that shows its result, on a machine four times as slow. */
export const interactions: readonly Promised[] = [
  promiseOf('page', 'the next page of a list', 200),
  promiseOf('open', 'a document opens its window', 200),
  promiseOf('search', 'a word in the search field, with the rows that it finds', 200),
  promiseOf('zoom', 'a step of the zoom in a document', 200),
  promiseOf('palette', 'the palette opens', 200),
  promiseOf('first-list', 'the first list after the page was loaded opens its window', 400),
];
