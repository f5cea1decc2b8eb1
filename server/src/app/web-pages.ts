import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accepts } from '#platform/http/content-coding.ts';
import { PortalError } from '#platform/http/errors.ts';
import { etagOf } from '#platform/http/etag.ts';
import type { Log } from '#platform/log/log.ts';
import { prerenderSignIn, type SpokenLanguages, withPrerendered } from './prerendered-sign-in.ts';
import { type Manifest, readManifest, tagsOf, withHeadOfDrawn, withTags } from './web-preloads.ts';

interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly brotli: () => Buffer | undefined;
  readonly gzip: () => Buffer | undefined;
  readonly etag: string;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
};

const signIn = 'src/app/SignIn.tsx';
const workspace = 'src/app/Workspace.tsx';

/** The page where most people arrive with an empty cache: it is prerendered for them. */
const drawnPage = '/login-ex';

/** A page to be kept and opened without the portal: here its own script would not be allowed, and there is `/verify`. */
const offlinePage = '/verify.html';

/** Addresses that the client knows, with the code that each needs; everything else is the same page with status 404 (A7). */
const pages: Readonly<Record<string, readonly string[]>> = {
  '/': [workspace],
  '/login': [signIn, 'src/app/PublicView.tsx'],
  [drawnPage]: [signIn],
  '/accessibility': [signIn, 'src/app/AccessibilityPage.tsx'],
  '/verify': [signIn, 'src/app/VerifyPage.tsx'],
  '/oauth': [signIn],
  '/oauth/:code': [signIn, workspace],
  '/sso': [signIn],
  '/sso/:assertion': [signIn, workspace],
};

const publicDocumentCode = [signIn, 'src/app/PublicView.tsx', 'src/features/public-documents/PublicPreview.tsx'];

const pageOf = (html: string): Asset => {
  const plain = Buffer.from(html);
  let brotli: Buffer | undefined;
  let gzip: Buffer | undefined;
  return {
    type: types['.html'] ?? '',
    plain,
    brotli: () => (brotli ??= brotliCompressSync(plain)),
    gzip: () => (gzip ??= gzipSync(plain)),
    etag: etagOf(plain),
  };
};

const readAssets = async (folder: string): Promise<Map<string, Asset>> => {
  const assets = new Map<string, Asset>();
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Set(names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)));
  const variant = async (file: string): Promise<Buffer | undefined> => (files.has(file) ? readFile(file) : undefined);
  const readOne = async (file: string): Promise<void> => {
    const type = types[extname(file)];
    if (type === undefined || file.includes(`${sep}.vite${sep}`)) return;
    const [plain, brotli, gzip] = await Promise.all([readFile(file), variant(`${file}.br`), variant(`${file}.gz`)]);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    assets.set(path, { type, plain, brotli: () => brotli, gzip: () => gzip, etag: etagOf(plain) });
  };
  await Promise.all([...files].map(readOne));
  return assets;
};

const sendAsset = (request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply => {
  void reply.header('etag', asset.etag).header('vary', 'accept-encoding').type(asset.type);
  if (reply.statusCode === 200 && request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
  const brotli = accepts(request, 'br') ? asset.brotli() : undefined;
  if (brotli !== undefined) return reply.header('content-encoding', 'br').send(brotli);
  const gzip = accepts(request, 'gzip') ? asset.gzip() : undefined;
  if (gzip !== undefined) return reply.header('content-encoding', 'gzip').send(gzip);
  return reply.send(asset.plain);
};

interface WebPages {
  readonly stylesheet?: string | undefined;
  readonly languages?: SpokenLanguages;
  /** Whether this is the id of a public document: its address is a page then. */
  readonly isPublicDocument?: (id: string, request: FastifyRequest) => Promise<boolean>;
  readonly log: Log;
}

/**
 * The web client, held in memory with its compressed variants (a seventh of the CPU of reading files). Hashed assets may be kept for ever;
 * index.html is asked for again each time. Without a built client every page is 404. `stylesheet`: address of the installation's own colours;
 * `languages`: those in which the sign-in page is prerendered, at the first request for it.
 */
export const serveWebPages = async (
  server: FastifyInstance,
  folder: string,
  { stylesheet, languages = new Map(), isPublicDocument = async () => false, log }: WebPages,
): Promise<void> => {
  const assets = existsSync(folder) ? await readAssets(folder) : new Map<string, Asset>();
  const built = assets.get('/index.html');
  const manifest: Manifest = built === undefined ? {} : await readManifest(folder);
  // The installation's own colours come after the page's.
  const ownStyles = stylesheet === undefined ? [] : [`<link rel="stylesheet" href="${stylesheet}">`];
  const pageFor = (code: readonly string[]): Asset | undefined => {
    const tags = [...tagsOf(manifest, code), ...ownStyles];
    return built === undefined || tags.length === 0 ? built : pageOf(withTags(built.plain.toString(), tags));
  };
  const drawPage = async (code: readonly string[]): Promise<Asset | undefined> => {
    const looks = built === undefined ? new Map<string, string>() : await prerenderSignIn(folder, { languages, log });
    if (built === undefined || looks.size === 0) return pageFor(code);
    const html = withHeadOfDrawn(withPrerendered(built.plain.toString(), looks), { manifest, code });
    return pageOf(withTags(html, ownStyles));
  };
  // One route for all: each by itself would be a hundred.
  server.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    const asset = assets.get(`/assets/${request.params['*']}`);
    if (asset === undefined) return reply.callNotFound();
    return sendAsset(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), asset);
  });
  for (const [path, asset] of assets)
    if (!path.startsWith('/assets/') && path !== '/index.html')
      server.get(path, async (request, reply) => {
        if (path === offlinePage) void reply.header('content-disposition', 'attachment; filename="verify.html"');
        return sendAsset(request, reply.header('cache-control', 'no-cache'), asset);
      });
  const sendPage = (page: Asset | undefined, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (page === undefined) return reply.code(404).type('text/plain').send('The web client has not been built.');
    void reply.header('cache-control', 'no-cache');
    return sendAsset(request, reply, page);
  };
  for (const [address, code] of Object.entries(pages)) {
    const page = pageFor(code);
    let drawn: Promise<Asset | undefined> | undefined;
    // An address with further parameters shows more than the prerendered page.
    const isDrawn = ({ url }: FastifyRequest): boolean => url === drawnPage;
    server.get(address, async (request, reply) => sendPage(isDrawn(request) ? await (drawn ??= drawPage(code)) : page, request, reply));
  }
  const notFound = pageFor([signIn]);
  const publicDocument = pageFor(publicDocumentCode);
  // The address of a public document without its end: the list of them.
  for (const list of ['/public', '/public/']) server.get(list, async (_, reply) => reply.redirect('/login'));
  server.get<{ Params: { id: string } }>('/public/:id', async (request, reply) => {
    if (await isPublicDocument(request.params.id, request)) return sendPage(publicDocument, request, reply);
    return sendPage(notFound, request, reply.code(404));
  });
  server.setNotFoundHandler(async (request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    if (!wantsPage || request.url.startsWith('/api/') || request.url.startsWith('/resources/')) throw new PortalError('RESOURCE_NOT_FOUND');
    return sendPage(notFound, request, reply.code(404));
  });
};
