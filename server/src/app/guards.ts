import type { Call } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallLimits } from '#platform/http/call-limit.ts';
import type { ClientCaller, PublisherCaller } from '#platform/http/caller.ts';
import type { AreaGuards } from '#platform/http/mount-routes.ts';
import { requireSameOrigin } from '#platform/http/same-origin.ts';

interface Parts {
  readonly publicUrl: URL;
  readonly limits: CallLimits;
  readonly authenticate: (request: FastifyRequest, reply: FastifyReply, call: Pick<Call, 'keepsSessionAlive'>) => Promise<ClientCaller>;
  readonly authenticatePublisher: (request: FastifyRequest, call: Call) => Promise<PublisherCaller>;
  /** Throws CALL_NOT_PERMITTED while the statute in force is not accepted (C3). */
  readonly requireStatute: (caller: ClientCaller) => Promise<void>;
}

/** Authentication and rate limits of each area. The rooms behind them know neither sessions nor the statute. */
export const createGuards = ({ publicUrl, limits, authenticate, authenticatePublisher, requireStatute }: Parts): AreaGuards => ({
  async protected(request, reply, call) {
    requireSameOrigin(request, publicUrl);
    const caller = await authenticate(request, reply, call);
    limits.takeOf(call, caller);
    if (call.needsStatute) await requireStatute(caller);
    return caller;
  },
  async publisher(request, _reply, call) {
    // First, since each key that is sent is looked up.
    limits.takeFrom(call, request.ip);
    return authenticatePublisher(request, call);
  },
  async auth(request, _reply, call) {
    limits.takeFrom(call, request.ip);
    requireSameOrigin(request, publicUrl);
    return undefined;
  },
  async open(request, reply, call) {
    limits.takeFrom(call, request.ip);
    if (call.session !== 'optional' || request.headers.authorization === undefined) return undefined;
    requireSameOrigin(request, publicUrl);
    const caller = await authenticate(request, reply, { keepsSessionAlive: true });
    // Its answer tells of own documents, as protected calls do: without accepted terms the refusal says so instead of denying the document.
    await requireStatute(caller);
    return caller;
  },
  async system(request, _reply, call) {
    limits.takeFrom(call, request.ip);
    return undefined;
  },
});
