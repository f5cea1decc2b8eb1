import { type Call, openCallLimits } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PublisherKeys } from '#features/publishing/publishing.door.ts';
import type { CallLimits, LimitedCall } from '#platform/http/call-limit.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import type { AreaGuards } from '#platform/http/mount-routes.ts';
import { requireSameOrigin } from '#platform/http/same-origin.ts';

interface Parts {
  readonly publicUrl: URL;
  readonly limits: CallLimits;
  readonly authenticate: (request: FastifyRequest, reply: FastifyReply, call: Pick<Call, 'keepsSessionAlive'>) => Promise<ClientCaller>;
  readonly publishers: Pick<PublisherKeys, 'isProven' | 'authenticate' | 'requireScope'>;
  /** Throws CALL_NOT_PERMITTED while the statute in force is not accepted (C3). */
  readonly requireStatute: (caller: ClientCaller) => Promise<void>;
}

/** Keys that this process has not found right yet. Each is looked up in the database. */
const unprovenKeys: LimitedCall = { name: 'publisher key', area: 'publisher', perMinute: openCallLimits.unprovenKeysPerMinute };

/** Authentication and rate limits of each area. The rooms behind them know neither sessions nor the statute. */
export const createGuards = ({ publicUrl, limits, authenticate, publishers, requireStatute }: Parts): AreaGuards => ({
  async protected(request, reply, call) {
    requireSameOrigin(request, publicUrl);
    const caller = await authenticate(request, reply, call);
    limits.takeOf(call, caller);
    if (call.needsStatute) await requireStatute(caller);
    return caller;
  },
  async publisher(request, _reply, call) {
    // A flood of wrong keys is held back, and right ones from the same network go on.
    if (!publishers.isProven(request)) limits.takeFrom(unprovenKeys, request.ip);
    const caller = await publishers.authenticate(request);
    limits.takeOfKey(call, caller);
    publishers.requireScope(caller, call);
    return caller;
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
