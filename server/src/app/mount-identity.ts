import { embeddedServiceId, openCallLimits, personalIdPattern } from '@pergamin/contract';
import type { Identity } from '@pergamin/identity';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SignInService } from '#features/sign-in/sign-in.door.ts';
import type { CallLimits, LimitedCall } from '#platform/http/call-limit.ts';
import { createNetworkQueue, signalOf } from '#platform/http/call-queues.ts';
import { isNavigation } from '#platform/http/navigation.ts';
import { networkOf } from '#platform/http/network.ts';
import { askInProcess } from './in-process.ts';

/** Requests below `/identity/` with limits of their own: each sign-in that begins is a row, each form may try a secret. */
const begin: LimitedCall = { name: 'identityBegin', area: 'open', perMinute: openCallLimits.signInsBegunPerMinute };
const message: LimitedCall = { name: 'identityMessage', area: 'open', perMinute: openCallLimits.identityMessagesPerMinute };
const page: LimitedCall = { name: 'identityPage', area: 'open' };

const beginning = /^\/identity\/auth\/?(?:\?|$)/;

const kindOf = ({ url, method }: FastifyRequest): LimitedCall => {
  if (beginning.test(url)) return begin;
  return method === 'GET' || method === 'HEAD' ? page : message;
};

/**
 * Hands everything below `/identity/` to the identity service, unread. Bodies stay with it, since the provider reads its own forms.
 * Headers that the server's hooks have set so far go along; identity replaces the ones that differ on its pages. A fair queue by network keeps
 * a flood of forms from slowing everyone else.
 */
export const mountIdentity = async (server: FastifyInstance, identity: Identity, limits: CallLimits): Promise<void> => {
  const queue = createNetworkQueue();
  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all('/identity/*', async (request, reply) => {
      const answer = async (): Promise<void> => {
        for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
        reply.hijack();
        await identity.handle(request.raw, reply.raw, { address: request.ip });
      };
      try {
        limits.takeFrom(kindOf(request), request.ip);
        await queue.pass(networkOf(request.ip), answer, signalOf(reply));
      } catch (error) {
        if (!reply.sent && isNavigation(request)) return reply.redirect('/login-ex?error=service', 303);
        throw error;
      }
      return reply;
    });
  });
};

/** The embedded identity service, as the room sign-in sees any service. */
export const embeddedService = (identity: Identity, publicUrl: URL): SignInService => ({
  id: embeddedServiceId,
  ...identity.relyingParty,
  claim: 'sub',
  pattern: personalIdPattern,
  transport: askInProcess(identity, publicUrl),
  isEmbedded: true,
  endSession: (sid) => identity.endSession(sid),
});
