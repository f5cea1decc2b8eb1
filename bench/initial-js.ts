import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PeerAbsent, type Promised } from './promise.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The check of the build says both sizes, a line each, also when it refuses them. */
const readSize = async (page: string): Promise<number> => {
  const { stdout, stderr } = spawnSync(process.execPath, ['tools/checks/check-bundle.ts'], { cwd: root, encoding: 'utf8' });
  const [, size] = new RegExp(`${page}: ([\\d.]+) kB`).exec(`${stdout}\n${stderr}`) ?? [];
  if (size === undefined) throw new Error(`check-bundle says nothing about ${page}: ${stdout}${stderr}`);
  return Number(size);
};

const scripts = (page: string, limit: number): Promised => ({
  name: `initial-js:${page}`,
  promise: `JavaScript before the ${page} page is idle, brotli`,
  unit: 'kB',
  limit,
  rounds: 1,
  open: async () => {
    if (!existsSync(`${root}/web/dist/.vite/manifest.json`)) throw new PeerAbsent('web/dist has not been built');
    return { ours: () => readSize(page), [Symbol.asyncDispose]: async () => {} };
  },
});

export const initialScripts: readonly Promised[] = [scripts('sign-in', 100), scripts('workspace', 165)];
