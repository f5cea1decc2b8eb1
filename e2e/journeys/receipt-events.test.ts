import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { formatVerifierKey, outcomeOf, parsePolicy, type ReceiptVerdict, verifyReceipt } from '@pergamin/ledger';
import { checksum, log, ofEveryEvent, receiptsOf } from '@pergamin/ledger/receipts-of-tests';
import { byDayOn, isNight } from '../due.ts';

const place = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const keys = `log ${formatVerifierKey(log.key)}\nquorum none\n`;
/** By day each event in each state once good, and once damaged. */
const count = isNight ? 1_000 : 60;

interface Given {
  readonly file: string;
  readonly receipt: string;
}

const damages: readonly ((given: Given, index: number) => Given)[] = [
  (given) => given,
  ({ receipt }) => ({ receipt, file: 'another file' }),
  (given) => given,
  ({ file, receipt }, index) => ({ file, receipt: receipt.replace(/^index .*/m, `index ${(index + 1) % count}`) }),
  (given) => given,
];

const listGiven = async (): Promise<readonly Given[]> =>
  (await receiptsOf(count, ofEveryEvent)).map(
    (receipt, index) =>
      damages[Math.floor(index / 6) % damages.length]?.({ file: `file ${index}`, receipt }, index) ?? { file: '', receipt },
  );

/** What the page calls the verdict of each, one after another, and in which language. Nothing is pressed: a thousand would take an hour. */
const readTitles = (page: Page, all: readonly Given[]): Promise<{ language: string; titles: string[] }> =>
  page.evaluate(
    async ({ given, policy }) => {
      const input = document.querySelector<HTMLInputElement>('input[type=file]');
      if (input === null) throw new Error('there is no field for files');
      const titleOf = (name: string): Promise<string> =>
        new Promise((resolve) => {
          const observer = new MutationObserver(() => look());
          const look = (): void => {
            const card = document.querySelector('[data-state=answered]');
            if (card?.querySelector('footer')?.textContent.includes(name) !== true) return;
            observer.disconnect();
            resolve(card.querySelector('header :is(h2, h3)')?.textContent ?? '');
          };
          observer.observe(document.body, { subtree: true, childList: true, characterData: true });
          look();
        });
      const titles: string[] = [];
      for (const [index, { file, receipt }] of given.entries()) {
        const name = `agreement-${String(index).padStart(4, '0')}.pdf`;
        const files = new DataTransfer();
        files.items.add(new File([file], name));
        files.items.add(new File([receipt], `${name}.tlog-proof`));
        files.items.add(new File([policy], 'keys.txt'));
        input.files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
        titles.push(await titleOf(name));
      }
      return { language: document.documentElement.lang, titles };
    },
    { given: all, policy: keys },
  );

const titleKey = (verdict: ReceiptVerdict): string =>
  ({
    proved: 'receipt.proved',
    received: 'receipt.received',
    otherEvent: `receipt.other.${verdict.statement?.event}`,
    notProved: 'receipt.notProved',
  })[outcomeOf(verdict)];

const agreesWithTheLibrary = async (page: Page): Promise<void> => {
  test.setTimeout(isNight ? 900_000 : 180_000);
  const all = await listGiven();
  const { language, titles } = await readTitles(page, all);
  const sentences = JSON.parse(await readFile(place(`languages/${language.slice(0, 2)}.json`), 'utf8')) as Record<string, string>;
  const policy = parsePolicy(keys);
  const expected = all.map(({ file, receipt }) => sentences[titleKey(verifyReceipt(receipt, { sha256: checksum(file), policy }))]);
  expect(titles).toEqual(expected);
  // Six of the events, and what is not proved.
  expect(new Set(titles).size).toBe(7);
};

test('verify.html agrees with the library on receipts of every event and state', { tag: byDayOn('desktop') }, async ({ browser }) => {
  const context = await browser.newContext({ offline: true, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.goto(pathToFileURL(place('web/dist/verify.html')).href);
    await agreesWithTheLibrary(page);
  } finally {
    await context.close();
  }
});

test(
  'the page of the portal agrees with the library on receipts of every event and state',
  { tag: byDayOn('desktop') },
  async ({ page }) => {
    await page.goto('/verify');
    await page.getByRole('tab', { name: /^(?:Receipt|Potwierdzenie)$/ }).click();
    await expect(page.getByRole('button', { name: /^(?:Choose files|Wybierz pliki)$/ })).toBeVisible();
    await agreesWithTheLibrary(page);
  },
);
