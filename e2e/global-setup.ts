import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isNight } from './due.ts';
import { type RunningProduct, startProduct } from './product.ts';
import { assertNoSecretsIn, secretsVariable } from './secrets.ts';

/**
 * Starts the product once for all journeys and gives back what stops it. Journeys find it in the environment: PERGAMIN_URL,
 * PERGAMIN_DEMO_PASSWORD and PERGAMIN_DATA_DIR (for the publisher's key). With PERGAMIN_URL set beforehand, that running product is used.
 * The run fails when a secret that the journeys' browsers sent is in a log afterwards.
 */
// oxlint-disable-next-line import/no-default-export -- Playwright calls the default export
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['PERGAMIN_URL'] !== undefined) return undefined;
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'pergamin-e2e-'));
  const logs = path.join(import.meta.dirname, 'test-results');
  const logFile = path.join(logs, 'product.log');
  await mkdir(logs, { recursive: true });
  const secretsFile = path.join(dataFolder, 'secrets-of-the-journeys');
  process.env[secretsVariable] = secretsFile;
  const removeData = async (): Promise<void> => rm(dataFolder, { recursive: true, force: true });
  try {
    const product = await startWithDemonstration({ dataFolder, logFile });
    process.env['PERGAMIN_URL'] = product.url;
    process.env['PERGAMIN_DEMO_PASSWORD'] = product.demoPassword;
    process.env['PERGAMIN_DATA_DIR'] = dataFolder;
    return async () => {
      await product.stop();
      try {
        await assertNoSecretsIn(logs, secretsFile);
      } finally {
        await removeData();
      }
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}

/**
 * By day it goes on without a demonstration once the first papers are in, which serve everybody: hundreds more, published and drawn beside
 * the journeys, would take one of two cores.
 */
const startWithDemonstration = async (plan: { dataFolder: string; logFile: string }): Promise<RunningProduct> => {
  // So that a journey can come from a network of its own: at night more of them verify in a minute than one network may.
  if (isNight) return startProduct({ ...plan, environment: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
  const product = await startProduct(plan);
  await product.stop();
  const withoutRest = await startProduct({ ...plan, logFile: `${plan.logFile}.second`, environment: { DEMO: 'off' } });
  return { ...withoutRest, demoPassword: product.demoPassword };
};
