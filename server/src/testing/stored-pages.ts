import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renditionFormat } from '#platform/renditions/renditions.ts';
import type { TestPortal } from './test-portal.ts';

/** Page images on disk, of one content or of all: `width/page`, sorted. */
export const listStoredPages = async ({ settings }: Pick<TestPortal, 'settings'>, sha256?: string): Promise<string[]> => {
  const root = join(settings.dataDir, 'renditions', `v${renditionFormat}`);
  const files = await readdir(root, { recursive: true }).catch(() => []);
  return files
    .map((file) => file.split(/[\\/]/))
    .filter(([, content, width = '', page]) => page !== undefined && /^\d+$/.test(width) && (sha256 === undefined || content === sha256))
    .map(([, , width, page]) => `${width}/${page}`)
    .toSorted();
};
