import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, type Page, test } from '@playwright/test';
import { acceptTheTermsAhead } from '../arrival.ts';
import { createClient } from '../client.ts';
import { aPaper, createPerson, publish } from '../publisher.ts';

/** What only a real browser can show: which cookies it keeps, what the content security policy stops, what another site can do. */

const portal = process.env['PERGAMIN_URL'] ?? '';
const planted = 'p'.repeat(43);
const self = '/api/protected/account/self/info';

/** Another site: to a browser 127.0.0.1 has nothing to do with localhost. */
const startSite = async (body: string): Promise<AsyncDisposable & { readonly address: string }> => {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    address: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const statusOf = (page: Page, path: string): Promise<number> =>
  page.evaluate(async (url) => {
    const authorization = sessionStorage.getItem('authorization') ?? '';
    return (await fetch(url, { headers: { authorization } })).status;
  }, path);

test('65: the session’s cookie is out of reach of scripts and other sites, is no value that was planted, and goes with the logout', async ({
  page,
  context,
}) => {
  const person = await createPerson();
  await acceptTheTermsAhead(person);
  await context.addCookies([{ name: 'portal', value: planted, url: portal, httpOnly: true, sameSite: 'Strict' }]);
  const client = createClient(page);
  await client.signsIn(person);
  await expect(page.getByRole('button', { name: person.fullName })).toBeVisible();
  const cookies = await context.cookies(portal);
  const session = cookies.filter(({ name }) => name.endsWith('portal'));
  expect(session).toEqual([expect.objectContaining({ domain: 'localhost', path: '/', httpOnly: true, sameSite: 'Strict', expires: -1 })]);
  expect(session[0]?.value).toMatch(/^[\w-]{43}$/);
  expect(session[0]?.value).not.toBe(planted);
  // Scripts find no cookie, and none goes to other sites with what they embed.
  expect(cookies.filter(({ httpOnly }) => !httpOnly)).toEqual([]);
  expect(cookies.filter(({ sameSite }) => sameSite === 'None')).toEqual([]);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /authori|token|verifier/i.test(key)))).toEqual([]);

  await client.logsOut();
  expect((await context.cookies(portal)).filter(({ name }) => name.endsWith('portal'))).toEqual([]);
});

test('a script, a style and a frame that are injected into the page are stopped', async ({ page }) => {
  await page.goto('/login-ex');
  const outcome = await page.evaluate(async () => {
    const expected = new Set(['require-trusted-types-for', 'style-src-elem', 'frame-src', 'img-src', 'connect-src']);
    // What is stopped is told a moment later.
    const areAllTold = new Promise<boolean>((resolve) =>
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        expected.delete(effectiveDirective);
        if (expected.size === 0) resolve(true);
      }),
    );
    const refused = (attempt: () => void): boolean => {
      try {
        attempt();
        return false;
      } catch {
        return true;
      }
    };
    const script = document.createElement('script');
    const areTextsRefused = [
      refused(() => (document.body.innerHTML = '<img src=x onerror="window.wasRun = true">')),
      refused(() => (script.text = 'window.wasRun = true')),
      refused(() => (script.src = 'https://elsewhere.test/x.js')),
      // By itself: what a debugger evaluates may do more than a page.
      // oxlint-disable-next-line typescript/no-implied-eval -- that it does not work is what is tested
      await new Promise<boolean>((resolve) => setTimeout(() => resolve(refused(() => void new Function('return 1')())))),
    ];
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    const frame = document.createElement('iframe');
    frame.src = 'https://elsewhere.test/';
    const image = new Image();
    image.src = 'https://elsewhere.test/x.png';
    document.body.append(style, frame, image);
    const isFetchStopped = await fetch('https://elsewhere.test/').then(
      () => false,
      () => true,
    );
    return { areTextsRefused, isFetchStopped, areAllTold: await areAllTold, wasRun: 'wasRun' in window };
  });
  expect(outcome).toEqual({ areTextsRefused: [true, true, true, true], isFetchStopped: true, areAllTold: true, wasRun: false });
});

test('66, 90: a page of another site can neither log out nor show a document of the person who is signed in', async ({
  page,
  context,
  playwright,
}) => {
  const person = await createPerson();
  await createClient(page).startsAtTheDesk(person);
  const { id } = await publish(await aPaper(1), { cif: person.cif, name: 'Zaswiadczenie.pdf', meta: {} });
  const other = await context.newPage();
  await using site = await startSite(`<form method="post" action="${portal}/api/auth/logout"><button>Win a prize</button></form>
    <img alt="" src="${portal}/api/protected/documents/download/${id}"><iframe src="${portal}/login-ex"></iframe>`);
  const embedded = other.waitForEvent('requestfailed', (request) => request.url().includes('/documents/download/'));
  await other.goto(site.address);
  expect((await embedded).failure()?.errorText).toMatch(/BLOCKED/);
  const frame = other.frames().find((candidate) => candidate !== other.mainFrame());
  await expect.poll(() => frame?.url()).toMatch(/^chrome-error:/);
  const answer = other.waitForResponse(/\/auth\/logout$/);
  await other.getByRole('button', { name: 'Win a prize' }).click();
  expect((await answer).status()).toBe(403);
  expect(await statusOf(page, self)).toBe(200);
  expect(await statusOf(page, `/api/protected/documents/download/${id}`)).toBe(200);

  await test.step('a token that was copied from the browser opens nothing elsewhere', async () => {
    const token = await page.evaluate(() => sessionStorage.getItem('authorization') ?? '');
    const elsewhere = await playwright.request.newContext({ baseURL: portal });
    expect((await elsewhere.get(self, { headers: { authorization: token } })).status()).toBe(401);
    await elsewhere.dispose();
  });
});
