import { createHash } from 'node:crypto';
import { calls, pathOf } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#testing/free-port.ts';
import { isNightly } from '#testing/nightly.ts';
import { sendTo, serverAt } from '#testing/send-to.ts';
import { findProxy, startShippedProxy } from '#testing/shipped-proxies.ts';
import { writePages } from '#testing/simple-pdf.ts';
import { createTestBrowser, createVerifier, goToPasswordPage, signInThroughIdentity, submitPassword } from '#testing/sign-in-as.ts';
import { type PortalProcess, startPortalProcess } from '#testing/start-portal-process.ts';
import { formOf, password, startTestPortal, type TestPortal } from '#testing/test-portal.ts';

/** Two web processes and a worker on one database and one store, behind the product's own nginx file, without sticky sessions. */

const nginx = isNightly ? findProxy('nginx') : undefined;

let portal: TestPortal;
let proxyPort: number;
let machines: readonly [PortalProcess, PortalProcess];
const opened = new AsyncDisposableStack();

/** The product's own file, without TLS. */
const startProxy = () =>
  startShippedProxy({ name: 'nginx', program: nginx ?? '', plainAt: proxyPort }, [
    { port: machines[0].port, metricsPort: 0 },
    { port: machines[1].port, metricsPort: 0 },
  ]);

beforeAll(async () => {
  if (nginx === undefined) return;
  proxyPort = await freePort();
  portal = opened.use(await startTestPortal({ environment: { PUBLIC_URL: `http://localhost:${proxyPort}` } }));
  const start = (role: string) => startPortalProcess(portal, { ROLE: role, WITHOUT_LIMITS: '1' });
  machines = [opened.use(await start('web')), opened.use(await start('web'))];
  opened.use(await start('worker'));
}, 60_000);
afterAll(() => opened.disposeAsync());

const host = (): string => portal.settings.publicUrl.host;

describe.skipIf(nginx === undefined)('two web machines and a worker behind nginx', () => {
  test('a sign-in whose steps are answered by both is one sign-in; each machine reads for it, and a logout on one ends it on both', async () => {
    const ports = machines.map(({ port }) => port);
    await using _proxy = await startProxy();
    await portal.addClient('2001');
    const signedIn = await signInThroughIdentity(serverAt(proxyPort, host()), { personalId: '2001', password, host: host() });
    const headers = { authorization: signedIn.token, cookie: signedIn.cookie };
    const ask = async (port: number, url: string, method = 'GET') => (await sendTo(port, host(), { method, url, headers })).statusCode;
    const account = pathOf(calls.getAccount, {});
    expect(await Promise.all(ports.map((port) => ask(port, account)))).toEqual([200, 200]);
    expect(await ask(ports[0] ?? 0, calls.logout.path, calls.logout.method)).toBe(204);
    expect(await Promise.all(ports.map((port) => ask(port, account)))).toEqual([401, 401]);
  });

  test('wrong passwords are counted together, whichever machine is asked', async () => {
    await portal.addClient('2002');
    const statuses: number[] = [];
    for (let tried = 0; tried < 6; tried += 1) {
      const browser = createTestBrowser(serverAt(machines[tried % 2 === 0 ? 0 : 1].port, host()), host());
      const page = await goToPasswordPage(browser, { personalId: '2002', state: createVerifier().state });
      statuses.push((await submitPassword(browser, page, { password: 'Wrong-horse-1' })).statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test(
    'one that is killed under load fails no call that may be repeated, and nothing acknowledged is lost or doubled',
    { timeout: 120_000 },
    async () => {
      await using _proxy = await startProxy();
      const client = await portal.signIn('2003', { cif: '92003' });
      const published = new Map<string, string>();
      const failed: string[] = [];
      const over = new AbortController();
      const origin = `http://localhost:${proxyPort}`;
      const known = { authorization: client.token, cookie: client.cookie };
      const read = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const body = JSON.stringify({ page: 0, size: 10 });
          const list = await fetch(origin + calls.listOwnDocuments.path, {
            method: 'POST',
            body,
            headers: { ...known, 'content-type': 'application/json' },
          });
          const account = await fetch(origin + pathOf(calls.getAccount, {}), { headers: known });
          for (const answer of [list, account]) {
            await answer.arrayBuffer();
            if (answer.status !== 200) failed.push(`read ${answer.status}`);
          }
        }
      };
      const publish = async (writer: number): Promise<void> => {
        for (let number = 0; !over.signal.aborted; number += 1) {
          const uniqueName = `machines-${writer}-${number}`;
          const pdf = writePages([`/MediaBox[0 0 ${200 + writer} ${200 + number}]`]);
          const form = formOf({ uniqueName, type: 'PRIVATE', fileName: 'Umowa.pdf', metadata: {}, cif: '92003' }, pdf);
          const answer = await fetch(origin + calls.publishDocument.path, {
            method: 'POST',
            body: form,
            headers: { authorization: `Bearer ${portal.publisherKey}` },
          });
          if (answer.ok) published.set(uniqueName, createHash('sha256').update(pdf).digest('hex'));
          else failed.push(`publish ${answer.status} ${await answer.text()}`);
        }
      };
      const flowing = Promise.all([read(), read(), read(), publish(1), publish(2)]);
      await expect.poll(() => published.size + failed.length, { timeout: 30_000 }).toBeGreaterThan(40);
      await machines[1].kill();
      const before = published.size;
      await expect.poll(() => published.size + failed.length, { timeout: 30_000 }).toBeGreaterThan(before + 40);
      over.abort();
      await flowing;
      expect(failed).toEqual([]);
      const rows = await portal.db
        .selectFrom('document')
        .select(['unique_name', 'sha256', 'published_at'])
        .where('unique_name', 'like', 'machines-%')
        .execute();
      expect(new Map(rows.map(({ unique_name: name, sha256 }) => [name, sha256]))).toEqual(published);
      expect(rows).toHaveLength(published.size);
      expect(rows.filter(({ published_at: at }) => at === null)).toEqual([]);
    },
  );
});
