import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Draws what a person reads in place of an error. `cookie` and `accept-language` of the headers choose the language that is shown first. */
export interface RefusalPages {
  draw(status: number, headers: FastifyRequest['headers']): { readonly html: string; readonly policy: string };
}

const callPath = /^\/(?:api|resources|static)(?:\/|$)/;

/** Whether a browser shows the answer as a page. One that does not say how it asks counts for the addresses of pages alone. */
const isShownAsPage = ({ method, url, headers }: FastifyRequest): boolean => {
  const mode = headers['sec-fetch-mode'];
  if (mode !== undefined) return mode === 'navigate';
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !callPath.test(url);
};

const isWhole = (payload: unknown): boolean =>
  payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload);

/** The page for this answer, with its headers set; undefined when a program reads the answer, or it is a page already. */
export const pageInstead = (pages: RefusalPages, request: FastifyRequest, reply: FastifyReply): string | undefined => {
  const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
  if (reply.statusCode < 400 || isPage || !isShownAsPage(request)) return undefined;
  const { html, policy } = pages.draw(reply.statusCode, request.headers);
  void reply.removeHeader('content-length').type('text/html; charset=utf-8');
  void reply.header('content-security-policy', policy).header('cache-control', 'no-store');
  return html;
};

/** Every refusal and error that a person would see in the browser is a page, whoever answers it: a hook, a room, or the router. */
export const answerPeopleWithPages = (server: FastifyInstance, pages: RefusalPages): void => {
  server.addHook('onSend', async (request, reply, payload) =>
    isWhole(payload) ? (pageInstead(pages, request, reply) ?? payload) : payload,
  );
};
