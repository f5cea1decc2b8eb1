import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createHttpServer } from '#platform/http/http-server.ts';
import { silentLog } from '#platform/log/log.ts';
import { serveWebPages } from './web-pages.ts';

const page = '<!doctype html><title>Pergamin</title>';
const script = 'export const answer = 42;';
const html = { accept: 'text/html,*/*' };

const serve = async (folder: string): Promise<FastifyInstance> => {
  const server = await createHttpServer({
    publicUrl: new URL('http://localhost:8080'),
    log: silentLog(),
    trustedProxies: [],
  });
  await serveWebPages(server, folder, { isPublicDocument: async (id) => id === 'a-public-one', log: silentLog() });
  return server;
};

let folder: string;
let server: FastifyInstance;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-web-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, 'index.html'), page);
  await writeFile(join(folder, 'assets/index-1a.js'), script);
  await writeFile(join(folder, 'assets/index-1a.js.br'), brotliCompressSync(script));
  await writeFile(join(folder, 'assets/index-1a.js.gz'), gzipSync(script));
  await writeFile(join(folder, 'assets/secret.map'), '{}');
  await writeFile(join(folder, 'verify.html'), page);
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  server = await serve(folder);
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const ask = (url: string, headers: Record<string, string> = {}, from = server) =>
  from.inject({ url, headers: { host: 'localhost:8080', ...headers } });

test('verify.html is handed out as a file to be kept, and never shown as a page of the portal', async () => {
  const answer = await ask('/verify.html', html);
  expect(answer.body).toBe(page);
  expect(answer.headers['content-disposition']).toBe('attachment; filename="verify.html"');
});

describe('a page', () => {
  test.each([
    '/',
    '/login',
    '/login-ex',
    '/login-ex?error=auth',
    '/oauth',
    '/oauth/a-code',
    '/oauth?required=partner',
    '/verify',
    '/public/a-public-one',
    '/sso',
    '/sso/',
    '/sso/a.b.c',
  ])('%s is the web client, asked for again each time', async (url) => {
    const answer = await ask(url, html);
    expect([answer.statusCode, answer.body, answer.headers['cache-control']]).toEqual([200, page, 'no-cache']);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('a page that the browser has is not sent again', async () => {
    const { etag } = (await ask('/', html)).headers;
    const again = await ask('/', { ...html, 'if-none-match': String(etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test.each([
    '/nowhere',
    '/login/x',
    '/public/another-one',
    '/public/a-public-one/x',
    '/oauth/a/b',
    '/sso/a/b',
    '/assets/index-2b.js',
    '/assets/../index.html',
    '/index.html',
  ])('a page at %s is not found, calmly', async (url) => {
    const answer = await ask(url, html);
    expect([answer.statusCode, answer.body]).toEqual([404, page]);
  });

  test.each(['/public', '/public/'])('%s leads to the list of public documents', async (url) => {
    const answer = await ask(url, html);
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/login']);
  });

  test('a page that is not found is sent even to a browser that has it, with its status', async () => {
    const { etag } = (await ask('/', html)).headers;
    expect((await ask('/nowhere', { ...html, 'if-none-match': String(etag) })).statusCode).toBe(404);
  });

  test.each([
    ['/nowhere', {}],
    ['/api/nowhere', html],
    ['/resources/nowhere', html],
  ])('a page at %s that a program asks for, or that is none, is RESOURCE_NOT_FOUND', async (url, headers) => {
    const answer = await ask(url, headers);
    expect([answer.statusCode, answer.json()]).toEqual([404, { code: 'RESOURCE_NOT_FOUND', message: 'Not found' }]);
  });

  test('a page of a client that was not built says so', async () => {
    const unbuilt = await serve(join(folder, 'nowhere'));
    const answer = await ask('/', html, unbuilt);
    expect([answer.statusCode, answer.body]).toEqual([404, 'The web client has not been built.']);
    await unbuilt.close();
  });
});

describe('a file of the client', () => {
  test('may be kept for ever, since its name changes with it', async () => {
    const answer = await ask('/assets/index-1a.js');
    expect([answer.body, answer.headers['cache-control']]).toEqual([script, 'public, max-age=31536000, immutable']);
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(answer.headers['vary']).toBe('accept-encoding');
  });

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.0', undefined],
    ['identity', undefined],
  ])('a file of the client with accept-encoding %j is sent as %s', async (accepted, encoding) => {
    const answer = await ask('/assets/index-1a.js', { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(encoding);
  });

  test.each(['/assets/secret.map', '/.vite/manifest.json'])('a file that no page needs is not served: %s', async (url) => {
    expect((await ask(url)).statusCode).toBe(404);
  });
});

test('an installation’s own colours are linked in the page, after the product’s, however the page is packed', async () => {
  const other = await mkdtemp(join(tmpdir(), 'pergamin-web-'));
  const head = '<title>Pergamin</title><link rel="stylesheet" href="/assets/index.css">';
  await writeFile(join(other, 'index.html'), `<!doctype html><head>${head}</head><body></body>`);
  const styled = await createHttpServer({
    publicUrl: new URL('http://localhost:8080'),
    log: silentLog(),
    trustedProxies: [],
  });
  await serveWebPages(styled, other, { stylesheet: '/resources/r/theme.css?v=$&1', log: silentLog() });
  const get = (encoding: string) =>
    styled.inject({ method: 'GET', url: '/login', headers: { host: 'localhost:8080', ...html, 'accept-encoding': encoding } });
  const plain = (await get('identity')).body;
  expect(plain).toMatch(/index\.css">\s*<link rel="stylesheet" href="\/resources\/r\/theme\.css\?v=\$&1">\s*<\/head>/);
  expect(brotliDecompressSync((await get('br')).rawPayload).toString()).toBe(plain);
  expect(gunzipSync((await get('gzip')).rawPayload).toString()).toBe(plain);
  await styled.close();
  await rm(other, { recursive: true });
});

test('a page names what its code and its sentences are fetched from, each once and nothing that another page needs', async () => {
  const other = await mkdtemp(join(tmpdir(), 'pergamin-web-'));
  await mkdir(join(other, '.vite'));
  await writeFile(join(other, 'index.html'), '<!doctype html><head><title>Pergamin</title></head><body></body>');
  const manifest = {
    'index.html': { file: 'assets/index-1.js', css: ['assets/index-1.css'] },
    _shared: { file: 'assets/shared-1.js', imports: ['index.html'] },
    'src/app/SignIn.tsx': { file: 'assets/SignIn-1.js', imports: ['index.html', '_shared'], css: ['assets/SignIn-1.css'] },
    'src/app/Workspace.tsx': { file: 'assets/Workspace-1.js', imports: ['index.html', '_shared'], dynamicImports: ['src/Menu.tsx'] },
    'src/Menu.tsx': { file: 'assets/Menu-1.js' },
  };
  await writeFile(join(other, '.vite/manifest.json'), JSON.stringify(manifest));
  const built = await serve(other);
  const namedBy = async (url: string) => [...(await ask(url, html, built)).body.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href);
  const sentences = '/resources/r/lang?lang=PL';
  expect(await namedBy('/')).toEqual([sentences, '/assets/shared-1.js', '/assets/Workspace-1.js']);
  expect(await namedBy('/login-ex')).toEqual([sentences, '/assets/shared-1.js', '/assets/SignIn-1.css', '/assets/SignIn-1.js']);
  expect(await namedBy('/nowhere')).toEqual(await namedBy('/login-ex'));
  expect(await namedBy('/oauth/a-code')).toContain('/assets/Workspace-1.js');
  await built.close();
  await rm(other, { recursive: true });
});

describe('the sign-in page', () => {
  const program = `
    import { parentPort, workerData } from 'node:worker_threads';
    const draw = (sentences) => '<h1>' + sentences.title + '</h1>';
    parentPort.postMessage(Object.fromEntries(Object.entries(workerData).map(([code, said]) => [code, draw(said)])));
  `;
  const manifest = {
    'index.html': { file: 'assets/index-1.js', css: ['assets/index-1.css'] },
    'src/app/SignIn.tsx': { file: 'assets/SignIn-1.js', imports: ['index.html'], css: ['assets/SignIn-1.css'] },
  };
  const index = `<!doctype html>
<html lang="pl">
  <head>
    <link rel="stylesheet" crossorigin href="/assets/index-1.css">
    <script type="module" blocking="render" crossorigin src="/assets/before-paint-1.js"></script>
    <script type="module" blocking="render" crossorigin src="/assets/index-1.js"></script>
  </head>
  <body>
    <div id="root"></div>
  </body>
</html>`;
  const languages = new Map([
    ['PL', { title: 'Zaloguj $& się' }],
    ['EN', { title: 'Sign in' }],
  ]);

  const serveDrawn = async (drawing: string): Promise<FastifyInstance> => {
    const built = await mkdtemp(join(tmpdir(), 'pergamin-web-'));
    await mkdir(join(built, '.vite'));
    await writeFile(join(built, 'index.html'), index);
    await writeFile(join(built, '.vite/manifest.json'), JSON.stringify(manifest));
    await writeFile(join(built, '.vite/prerender-sign-in.mjs'), drawing);
    const server = await createHttpServer({
      publicUrl: new URL('http://localhost:8080'),
      log: silentLog(),
      trustedProxies: [],
    });
    await serveWebPages(server, built, { log: silentLog(), languages });
    onTestFinished(async () => {
      await server.close();
      await rm(built, { recursive: true });
    });
    return server;
  };

  test('comes drawn, in the language of the house and beside it in the others', async () => {
    const { body } = await ask('/login-ex', html, await serveDrawn(program));
    expect(body).toContain('<div id="root"><h1>Zaloguj $& się</h1></div>');
    expect(body).toContain('<template data-language="EN"><h1>Sign in</h1></template>');
    expect(body).toContain('<html data-drawn lang="pl">');
  });

  test('the prerendered sign-in page waits for its styles and for the choice of colours and language, and not for its code', async () => {
    const { body } = await ask('/login-ex', html, await serveDrawn(program));
    const awaited = [...body.matchAll(/<(?:link rel="(?:stylesheet|preload)"|script [^>]*blocking)[^>]*(?:href|src)="([^"]+)"/g)];
    expect(awaited.map(([, address]) => address)).toEqual([
      '/assets/index-1.css',
      '/assets/SignIn-1.css',
      '/assets/before-paint-1.js',
      '/resources/r/lang?lang=PL',
    ]);
    expect(body).toContain('<script type="module" crossorigin src="/assets/index-1.js">');
    expect(body).toContain('<link rel="modulepreload" crossorigin href="/assets/SignIn-1.js">');
  });

  test.each(['/login-ex?error=auth', '/login', '/', '/nowhere'])('is not what %s shows', async (url) => {
    const { body } = await ask(url, html, await serveDrawn(program));
    expect(body).toContain('<div id="root"></div>');
    expect(body).toContain('blocking="render" crossorigin src="/assets/index-1.js"');
  });

  test.each([
    ['fails', 'throw new Error("no");'],
    ['says nothing', ''],
    ['answers something else', 'import { parentPort } from "node:worker_threads"; parentPort.postMessage(7);'],
  ])('is left to its code when the drawing %s', async (_, drawing) => {
    const answer = await ask('/login-ex', html, await serveDrawn(drawing));
    expect([answer.statusCode, answer.body.includes('<div id="root"></div>')]).toEqual([200, true]);
  });
});
