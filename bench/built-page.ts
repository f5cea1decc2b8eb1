import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { PeerAbsent } from './promise.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const origin = 'http://bench.invalid';

/** Vite builds the page in a folder of `bench` as it builds the product, into the folder `to`. */
export const buildPage = (name: string, to: string): void => {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const options = ['--emptyOutDir', '--target', 'chrome131', '--logLevel', 'warn'];
  const args = [vite, 'build', join(root, 'bench', name), '--outDir', to, ...options];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the page could not be built: ${stderr}`);
};

export interface BuiltPage extends AsyncDisposable {
  /** Shown anew, with this search in its address. */
  readonly show: (search: string) => Promise<{ readonly page: Page; readonly session: CDPSession }>;
}

/** A page of `bench` in a browser of its own, without a server; `api` is what any call is answered with. Throws PeerAbsent without a browser. */
export const openBuiltPage = async (name: string, { api }: { readonly api?: unknown } = {}): Promise<BuiltPage> => {
  if (!existsSync(chromiumPath)) throw new PeerAbsent(`there is no Chromium at ${chromiumPath}`);
  const cleanUp = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    buildPage(name, folder);
    const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false, args: ['--disable-gpu'] });
    cleanUp.defer(() => browser.close());
    return {
      show: async (search) => {
        const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
        await page.route(`${origin}/**`, (route) => {
          const { pathname } = new URL(route.request().url());
          if (pathname.startsWith('/api/')) return route.fulfill({ json: api });
          return route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) });
        });
        await page.goto(`${origin}/${search}`);
        return { page, session: await page.context().newCDPSession(page) };
      },
      [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
    };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};
