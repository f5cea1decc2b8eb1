import type { FastifyInstance } from 'fastify';

/** Probes and scrapers call these under any host name. */
const anyHost = new Set(['/api/health', '/api/ready']);

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether a URL's host is this machine itself: demo data are loaded and http is allowed only then. */
export const isLoopback = (url: URL): boolean => loopbackNames.has(url.hostname) || url.hostname.endsWith('.localhost');

const hostNameOf = (host: string): string => host.replace(/:\d+$/, '');

/** As browsers send it, or with the scheme's own port written out. */
const hostsOf = (publicUrl: URL): ReadonlySet<string> =>
  new Set([publicUrl.host, `${publicUrl.hostname}:${publicUrl.port || (publicUrl.protocol === 'https:' ? '443' : '80')}`]);

/**
 * Refuses requests for another host before anything reads them (Host poisoning of links and of the OpenID discovery
 * document; DNS rebinding). Absolute-form targets and `//…` are 400; another Host is 421, but a page asked for under another loopback name is
 * sent to the right one. Node keeps the first of two Host headers, so two are refused as well.
 */
export const guardHost = (server: FastifyInstance, publicUrl: URL): void => {
  const ownHosts = hostsOf(publicUrl);
  server.addHook('onRequest', async (request, reply) => {
    const target = request.raw.url ?? '';
    if (!target.startsWith('/') || target.startsWith('//')) return reply.code(400).send();
    const [path = ''] = target.split('?', 1);
    if (anyHost.has(path)) return undefined;
    const hosts = request.raw.rawHeaders.filter((_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'host');
    if (hosts.length > 1) return reply.code(400).send();
    const host = (request.headers.host ?? '').toLowerCase();
    if (ownHosts.has(host)) return undefined;
    const isPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    // Joined as text: resolved as a URL, a target like `/\\elsewhere.example` would lead to another site.
    if (isPage && isLoopback(publicUrl) && loopbackNames.has(hostNameOf(host))) return reply.redirect(publicUrl.origin + target, 307);
    return reply.code(421).send();
  });
};
