import { areaPrefixes, type Area, type Call } from '@pergamin/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import * as z from 'zod/mini';
import type { ClientCaller, PublisherCaller } from './caller.ts';
import type { Bytes, Context, Route } from './route.ts';

type Guard<Caller> = (request: FastifyRequest, reply: FastifyReply, call: Call) => Promise<Caller>;

/** How the areas find out who calls; each throws ACCESS_DENIED or CALL_NOT_PERMITTED. Made in app/, so that no room knows another. */
export interface AreaGuards {
  readonly protected: Guard<ClientCaller>;
  readonly publisher: Guard<PublisherCaller>;
  /** For open and auth calls: rate limits, and nothing else. */
  readonly open: Guard<undefined>;
  readonly auth: Guard<undefined>;
  readonly system: Guard<undefined>;
}

const schemaOf = (call: Call): FastifySchema => ({
  summary: call.summary,
  operationId: call.name,
  tags: [call.area],
  ...(call.params === undefined ? {} : { params: call.params }),
  ...(call.query === undefined ? {} : { querystring: call.query }),
  ...(call.body === undefined ? {} : { body: call.body }),
  ...(call.form === undefined ? {} : { consumes: ['multipart/form-data'] }),
  ...(typeof call.answer === 'object' ? { response: { 200: call.answer } } : { response: { '2xx': z.any() } }),
});

const send = (reply: FastifyReply, call: Call, answer: unknown): FastifyReply => {
  // A handler that has answered itself (304) is left alone.
  if (reply.sent) return reply;
  if (call.answer === 'nothing') return reply.code(204).send();
  if (call.answer === 'redirect') return reply.redirect(String(answer), 303);
  if (call.answer === 'bytes') {
    const bytes = answer as Bytes;
    void reply.headers(bytes.headers ?? {});
    return reply
      .type(bytes.contentType)
      .serializer((payload) => payload)
      .send(bytes.body);
  }
  return reply.send(answer);
};

/** Where a path with this area must begin; a route outside its area is a mistake in the contract and refused at start. */
const assertArea = (call: Call): void => {
  const areas = (Object.keys(areaPrefixes) as Exclude<Area, 'system'>[]).filter((area) => call.path.startsWith(areaPrefixes[area]));
  const fits = call.area === 'system' ? areas.length === 0 : areas.length === 1 && areas[0] === call.area;
  if (!fits) throw new Error(`${call.name}: the path ${call.path} is not in the area ${call.area}`);
};

/** Order of a call: who (guard), then what (validation), then the room's handler. A stranger never learns whether a request was well-formed. */
export const mountRoutes = (server: FastifyInstance, routes: readonly Route[], guards: AreaGuards): void => {
  for (const { call, handle, bodyLimit } of routes) {
    assertArea(call);
    const guard: Guard<ClientCaller | PublisherCaller | undefined> = guards[call.area];
    const callers = new WeakMap<FastifyRequest, ClientCaller | PublisherCaller>();
    server.route({
      method: call.method,
      url: call.path,
      schema: schemaOf(call),
      ...(bodyLimit === undefined ? {} : { bodyLimit }),
      onRequest: async (request, reply) => {
        if (call.area !== 'system') void reply.header('cache-control', 'private, no-store').header('vary', 'Authorization, Cookie');
        const caller = await guard(request, reply, call);
        if (caller !== undefined) callers.set(request, caller);
      },
      handler: async (request, reply) => {
        const context = {
          params: request.params,
          query: request.query,
          body: request.body,
          caller: callers.get(request),
          request,
          reply,
        } as Context<Call>;
        return send(reply, call, await handle(context));
      },
    });
    if (call.path.startsWith('/resources/') || call.path.startsWith('/static/')) {
      // Both specifications' /resources and /static paths answer under /api too (row P).
      server.route({
        method: call.method,
        url: `/api${call.path}`,
        schema: { ...schemaOf(call), hide: true },
        handler: async (request, reply) =>
          send(
            reply,
            call,
            await handle({
              params: request.params,
              query: request.query,
              body: undefined,
              caller: undefined,
              request,
              reply,
            } as Context<Call>),
          ),
      });
    }
  }
};
