import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startProduct } from './product.ts';

/**
 * Starts the product once for all journeys and gives back what stops it. Journeys find it in the environment: PERGAMIN_URL,
 * PERGAMIN_DEMO_PASSWORD and PERGAMIN_DATA_DIR (for the publisher's key). With PERGAMIN_URL set beforehand, that running product is used.
 */
// oxlint-disable-next-line import/no-default-export -- Playwright calls the default export
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['PERGAMIN_URL'] !== undefined) return undefined;
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'pergamin-e2e-'));
  const logFile = path.join(import.meta.dirname, 'test-results', 'product.log');
  await mkdir(path.dirname(logFile), { recursive: true });
  const removeData = async (): Promise<void> => rm(dataFolder, { recursive: true, force: true });
  try {
    const product = await startProduct({ dataFolder, logFile });
    process.env['PERGAMIN_URL'] = product.url;
    process.env['PERGAMIN_DEMO_PASSWORD'] = product.demoPassword;
    process.env['PERGAMIN_DATA_DIR'] = dataFolder;
    return async () => {
      await product.stop();
      await removeData();
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}
