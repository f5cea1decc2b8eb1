import type { FastifyInstance } from 'fastify';

/** Asked by probes and scrapers under whatever name they know the machine by. */
const anyHost = new Set(['/api/health', '/api/ready']);

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether a URL's host is this machine itself: demo data are loaded and http is allowed only then. */
export const isLoopback = (url: URL): boolean => loopbackNames.has(url.hostname) || url.hostname.endsWith('.localhost');

const hostNameOf = (host: string): string => host.replace(/:\d+$/, '');

/**
 * Refuses requests that were meant for somebody else before anything reads them (Host poisoning of links and of the OpenID discovery
 * document; DNS rebinding). Absolute-form targets and `//…` are 400; another Host is 421, but a page asked for under another loopback name is
 * sent to the right one. Node keeps the first of two Host headers, so two are refused as well.
 */
export const guardHost = (server: FastifyInstance, publicUrl: URL): void => {
  server.addHook('onRequest', async (request, reply) => {
    const target = request.raw.url ?? '';
    if (!target.startsWith('/') || target.startsWith('//')) return reply.code(400).send();
    const [path = ''] = target.split('?', 1);
    if (anyHost.has(path)) return undefined;
    const hosts = request.raw.rawHeaders.filter((_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'host');
    if (hosts.length > 1) return reply.code(400).send();
    const host = request.headers.host ?? '';
    if (host.toLowerCase() === publicUrl.host) return undefined;
    const isPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    if (isPage && isLoopback(publicUrl) && loopbackNames.has(hostNameOf(host))) return reply.redirect(new URL(target, publicUrl).href, 307);
    return reply.code(421).send();
  });
};
