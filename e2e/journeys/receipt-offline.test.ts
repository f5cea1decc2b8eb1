import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { formatVerifierKey } from '@pergamin/ledger';
import { log, receiptsOf } from '@pergamin/ledger/receipts-of-tests';
import { byDayOn, isNight } from '../due.ts';

/** Receipts of a log of this size, verified by three programs, of which one shares no code with the others (P10). */
const size = 300;
const key = formatVerifierKey(log.key);
const place = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const other = Buffer.alloc(32, 7).toString('base64');

interface Row {
  readonly name: string;
  /** Of the entry. */
  readonly index: number;
  readonly file?: string;
  /** By day two that are proved, and one for each of the four answers that goes wrong. */
  readonly byDay?: true;
  readonly damage?: (receipt: string) => string;
}

const table: readonly Row[] = [
  { name: 'a private document', index: 2, byDay: true },
  { name: 'a public document', index: 5 },
  { name: 'the last entry', index: size - 1, byDay: true },
  { name: 'another file', index: 7, file: 'file 8', byDay: true },
  {
    name: 'a hash of the proof that is another',
    index: 11,
    byDay: true,
    damage: (text) => text.replace(/^(index .*)\n.*/m, `$1\n${other}`),
  },
  { name: 'another index', index: 12, damage: (text) => text.replace(/^index .*/m, 'index 13') },
  { name: 'a larger log', index: 13, damage: (text) => text.replace(/^300$/m, '301') },
  {
    name: 'a changed statement',
    index: 14,
    byDay: true,
    damage: (text) => text.replace(/^extra .{60}/m, (extra) => `${extra.slice(0, -1)}${extra.endsWith('A') ? 'B' : 'A'}`),
  },
  {
    name: 'a changed signature',
    index: 16,
    byDay: true,
    damage: (text) => text.replace(/(— .{40})(.)/, (_, before: string, one: string) => `${before}${one === 'A' ? 'B' : 'A'}`),
  },
  { name: 'no statement', index: 17, damage: (text) => text.replace(/^extra .*\n/m, '') },
  { name: 'half of itself', index: 18, damage: (text) => text.slice(0, text.length / 2) },
  { name: 'nothing', index: 19, damage: () => '' },
];

const rows = isNight ? table : table.filter(({ byDay }) => byDay);

const verifyInPage = async (page: Page, given: { readonly file: string; readonly receipt: string }): Promise<readonly boolean[]> => {
  const asFile = (name: string, content: string) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  await page.reload();
  await page
    .getByLabel('Choose files')
    .and(page.locator('input'))
    .setInputFiles([
      asFile('a.pdf', given.file),
      asFile('a.pdf.tlog-proof', given.receipt),
      asFile('keys.txt', `log ${key}\nquorum none\n`),
    ]);
  const answers = page.getByRole('list', { name: 'What was compared' }).getByRole('listitem');
  await expect(answers).toHaveCount(4);
  return (await answers.allTextContents()).map((text) => text.startsWith('Right: '));
};

test('P10: anyone verifies a receipt with the network off', { tag: byDayOn('desktop') }, async ({ browser }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'receipts-'));
  const context = await browser.newContext({ offline: true, locale: 'en-GB' });
  try {
    const receipts = await receiptsOf(size);
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(place('web/dist/verify.html')).href);
    await writeFile(path.join(folder, 'keys.txt'), `log ${key}\nquorum none\n`);
    const proved: boolean[] = [];
    for (const { name, index, file = `file ${index}`, damage = (text: string) => text } of rows) {
      const receipt = damage(receipts[index] ?? '');
      await writeFile(path.join(folder, 'a.pdf'), file);
      await writeFile(path.join(folder, 'a.pdf.tlog-proof'), receipt);
      const cli = spawnSync(
        process.execPath,
        [place('cli/bin/pergamin.mjs'), 'verify', 'a.pdf', 'a.pdf.tlog-proof', '--policy', 'keys.txt', '--json'],
        {
          cwd: folder,
          encoding: 'utf8',
        },
      );
      const verdict = JSON.parse(cli.stdout) as Record<string, boolean> & { sha256: unknown };
      const answers = [verdict['isSameFile'], verdict['opensStatement'], verdict['isIncluded'], verdict['isSigned']];
      const python = spawnSync('python3', [place('ledger/test/verify.py'), key], {
        input: `${String(verdict.sha256)} ${Buffer.from(receipt).toString('base64')}\n`,
        encoding: 'utf8',
      });
      expect.soft(await verifyInPage(page, { file, receipt }), `verify.html: ${name}`).toEqual(answers);
      expect.soft(cli.status, `pergamin verify: ${name}`).toBe(verdict['proved'] === true ? 0 : 1);
      if (python.error === undefined)
        expect.soft(python.stdout.trim(), `verify.py: ${name}`).toBe(verdict['proved'] === true ? 'published' : 'no');
      proved.push(verdict['proved'] === true);
    }
    expect(proved).toEqual(rows.map(({ index }) => [2, 5, size - 1].includes(index)));
    expect(asked.filter((url) => !url.startsWith('file:'))).toEqual([]);
  } finally {
    await context.close();
    await rm(folder, { recursive: true });
  }
});
