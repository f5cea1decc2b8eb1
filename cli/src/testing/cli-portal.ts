import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPortal, type TestPortal } from '@pergamin/server/testing/test-portal';
import { freePort } from './run-pergamin.ts';

/** A portal that listens, and what a command needs to speak to it. */
export interface CliPortal extends AsyncDisposable {
  readonly portal: TestPortal;
  /** Where commands run and find their files. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** `environment`: settings of the portal beside its address. */
export const startCliPortal = async (environment: Readonly<Record<string, string>> = {}): Promise<CliPortal> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-cli-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const portal = await startTestPortal({ environment: { PUBLIC_URL: url, ...environment } });
  await portal.server.listen({ host: '127.0.0.1', port });
  return {
    portal,
    folder,
    environment: { PERGAMIN_URL: url, PERGAMIN_KEY: portal.publisherKey },
    async [Symbol.asyncDispose]() {
      await portal[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
};
