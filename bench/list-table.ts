import type { CDPSession, Page } from '@playwright/test';
import { openBuiltPage, type BuiltPage } from './built-page.ts';
import { countMainThread, measureMainThread } from './main-thread.ts';
import type { Measuring, Promised } from './promise.ts';

const warmUps = 4;
const nameOfButton = 'aimedAt';
/** Finds what is to be pressed beforehand: to search a hundred rows for it is no work of the page. */
const aiming = (name: string): string => `void (globalThis.${nameOfButton} = [...document.querySelectorAll('button')].find(
  (one) => (one.getAttribute('aria-label') ?? one.textContent) === ${JSON.stringify(name)},
))`;
/** Presses, and resolves after the frame that shows other rows has been painted; in the page itself, as looking from outside would be work of its main thread, too. */
const pressing = `new Promise((resolve, reject) => {
  const row = document.querySelector('table').rows[1];
  const before = row.textContent;
  globalThis.${nameOfButton}?.click();
  const begun = performance.now();
  const look = () => {
    if (performance.now() - begun > 20_000) reject(new Error('no other rows came'));
    else if (row.isConnected && row.textContent === before) requestAnimationFrame(look);
    else setTimeout(resolve);
  };
  requestAnimationFrame(look);
})`;

/** What the main thread does from a press to the next paint with other rows: script, styles, layout, paint. */
const press = async (shown: { page: Page; session: CDPSession }, name: string): Promise<number> => {
  await shown.page.bringToFront();
  await shown.page.evaluate(aiming(name));
  return measureMainThread(shown, pressing);
};

/** Shows a page of the table and warms it up; answers what measures a press of this button there. */
const openPage = async (built: BuiltPage, { search, name, least }: { search: string; name: string; least: number }) => {
  const shown = await built.show(search);
  await shown.page.getByRole('row').nth(least).waitFor({ state: 'attached' });
  await countMainThread(shown.session);
  for (let i = 0; i < warmUps; i += 1) await press(shown, name);
  return () => press(shown, name);
};

/** The floor of what is measured on the main thread, and how long it takes on the machine that the limits are for. */
const floorRows = 100;
export const floorMs = 28;

/** A plain table of a hundred rows, into which each press writes other texts. */
export const openFloor = (built: BuiltPage, name = 'list.nextPage'): Promise<() => Promise<number>> =>
  openPage(built, { search: '?bare', name, least: floorRows });

export const openTablePage = (): Promise<BuiltPage> => openBuiltPage('table-page', { api: { folders: [], items: [] } });

const open = async (name: string, rows: number): Promise<Measuring> => {
  const built = await openTablePage();
  try {
    return {
      ours: await openPage(built, { search: `?rows=${rows}`, name, least: rows }),
      floor: await openFloor(built, name),
      [Symbol.asyncDispose]: () => built[Symbol.asyncDispose](),
    };
  } catch (error) {
    await built[Symbol.asyncDispose]();
    throw error;
  }
};

const promiseOf = (kind: 'page' | 'order', rows: 10 | 100): Promised => ({
  name: `table:${kind}-${rows}`,
  promise: `interaction to next paint of another ${kind} of ${rows} rows with all columns, processor time of the main thread × 4`,
  unit: 'ms',
  limit: rows === 10 ? 80 : 200,
  limitAtFloor: floorMs,
  rounds: 11,
  open: () => open(kind === 'page' ? 'list.nextPage' : 'Sprawa', rows),
});

/** Rows with all columns, on a machine four times as slow; beside them a plain table of a hundred rows of the same texts that does nothing else. */
export const listTable: readonly Promised[] = [
  promiseOf('page', 100),
  promiseOf('order', 100),
  promiseOf('page', 10),
  promiseOf('order', 10),
];
