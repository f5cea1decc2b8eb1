import { embeddedServiceId, openCallLimits, personalIdPattern } from '@pergamin/contract';
import type { Identity } from '@pergamin/identity';
import type { FastifyInstance } from 'fastify';
import type { CustomFetch } from 'openid-client';
import type { SignInService } from '#features/sign-in/sign-in.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import { createCallLimit } from '#platform/http/call-limit.ts';
import { isNavigation } from '#platform/http/navigation.ts';

const beginning = /^\/identity\/auth\/?(?:\?|$)/;

/**
 * Hands everything below `/identity/` to the identity service, unread. Bodies stay with it, since the provider reads its own forms.
 * Headers that the server's hooks have set so far go along; identity replaces the ones that differ on its pages.
 */
export const mountIdentity = async (server: FastifyInstance, identity: Identity, { clock }: { clock: Clock }): Promise<void> => {
  // A sign-in may be begun here too, without the portal, and is a row here as well.
  const limitBegun = createCallLimit({ perMinute: openCallLimits.signInsBegunPerMinute, clock });
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all('/identity/*', { schema: { hide: true } }, async (request, reply) => {
      if (beginning.test(request.url)) {
        try {
          limitBegun(request.ip);
        } catch (error) {
          if (isNavigation(request)) return reply.redirect('/login-ex?error=service', 303);
          throw error;
        }
      }
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
      reply.hijack();
      await identity.handle(request.raw, reply.raw, { address: request.ip });
      return reply;
    });
  });
};

/** Asks this very server without a connection: no port, no certificate and no name have to be right for the portal to find itself. */
const inProcess =
  (server: FastifyInstance, publicUrl: URL): CustomFetch =>
  async (address, { method, headers, body }) => {
    const url = new URL(address);
    if (url.origin !== publicUrl.origin) throw new Error('the embedded identity service has no other address');
    const payload = body instanceof URLSearchParams ? body.toString() : body;
    if (payload !== undefined && payload !== null && typeof payload !== 'string') throw new Error('only text is sent in process');
    const answer = await server.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url: `${url.pathname}${url.search}`,
      headers: { ...headers, host: publicUrl.host },
      ...(typeof payload === 'string' ? { payload } : {}),
    });
    const answerHeaders = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) answerHeaders.set(name, String(value));
    return new Response(answer.rawPayload, { status: answer.statusCode, headers: answerHeaders });
  };

/** The embedded identity service, as the room sign-in sees any service. */
export const embeddedService = (identity: Identity, { server, publicUrl }: { server: FastifyInstance; publicUrl: URL }): SignInService => ({
  id: embeddedServiceId,
  ...identity.relyingParty,
  claim: 'sub',
  pattern: personalIdPattern,
  transport: inProcess(server, publicUrl),
  isEmbedded: true,
  endSession: (sid) => identity.endSession(sid),
});
