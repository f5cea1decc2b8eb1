import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Call, type CallInput, calls, requestOf } from '@pergamin/contract';
import { demoDocuments } from '@pergamin/tools/demo';
import type { Page } from '@playwright/test';

const program = fileURLToPath(new URL('../tools/bootstrap/serve.mjs', import.meta.url));
const fewDocuments = 3;

/** The product as `npm start` runs it, with one customer who has a few documents and no statute to accept. */
export interface CustomersPortal extends AsyncDisposable {
  readonly url: string;
  readonly personalId: string;
  readonly password: string;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
};

export const openCustomersPortal = async (documents = fewDocuments): Promise<CustomersPortal> => {
  const cleanUp = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    const port = String(await freePort());
    const url = `http://localhost:${port}`;
    const environment = { ...process.env, NODE_ENV: 'production', DATA_DIR: folder, DEMO: 'off', PORT: port, PUBLIC_URL: url };
    const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    cleanUp.defer(async () => {
      child.kill('SIGTERM');
      await exited;
    });
    await ready(createInterface({ input: child.stdout }));
    // The child's later output is not read; drained, so that it does not block on a full pipe.
    child.stdout.resume();
    const key = (await readFile(join(folder, 'publisher.key'), 'utf8')).trim();
    const customer = { personalId: '30000001', cif: '30000001', password: 'Bench-2026-Pergamin' };
    const publish = async <C extends Call>(call: C, input: CallInput<C>): Promise<void> => {
      const { path, init } = requestOf(call, input);
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${key}`);
      const answer = await fetch(new URL(path, url), { ...init, headers });
      if (!answer.ok) throw new Error(`${call.name} was answered ${answer.status}: ${await answer.text()}`);
    };
    const { personalId, cif, password } = customer;
    await publish(calls.upsertClients, {
      body: { items: [{ personalId, cif, firstName: 'Anna', lastName: 'Nowak', initialPassword: password }] },
    });
    for (const paper of firstPapers(documents)) {
      const form = new FormData();
      form.set('description', JSON.stringify({ type: 'PRIVATE', fileName: `${paper.uniqueName}.pdf`, cif }));
      form.set('file', new Blob([Uint8Array.from(await paper.pdf())], { type: 'application/pdf' }), 'paper.pdf');
      await publish(calls.publishDocument, { form });
    }
    return { url, personalId, password, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

/** Signs the customer in, until the desk is there. */
export const signInAt = async (page: Page, { url, personalId, password }: CustomersPortal): Promise<void> => {
  await page.goto(`${url}/login-ex`);
  await page.getByLabel('Wpisz swój identyfikator').fill(personalId);
  await page.getByRole('button', { name: 'Zaloguj się', exact: true }).click();
  await page.getByLabel('Hasło', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Zaloguj się', exact: true }).click();
  await page.getByRole('button', { name: 'Otrzymane' }).first().waitFor();
};

const ready = async (lines: AsyncIterable<string>): Promise<void> => {
  for await (const line of lines) if (line.startsWith('Pergamin is ready at ')) return;
  throw new Error('the portal ended before it was ready');
};

const firstPapers = function* (count: number) {
  let given = 0;
  for (const paper of demoDocuments({ seed: 20_261_120, today: new Date('2026-11-20T12:00:00Z') })) {
    if (given === count) return;
    given += 1;
    yield paper;
  }
};
