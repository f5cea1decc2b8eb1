import multipart from '@fastify/multipart';
import { areaPrefixes, type Call, publishingLimits } from '@pergamin/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { createCallQueues, type CallQueues } from './call-queues.ts';
import type { ClientCaller, PublisherCaller } from './caller.ts';
import { invalidField, PortalError } from './errors.ts';
import { limitMultipart } from './multipart-limit.ts';
import { createParameterGuard } from './known-parameters.ts';
import { isNavigation } from './navigation.ts';
import type { Bytes, Context, Route } from './route.ts';

type Guard<Caller> = (request: FastifyRequest, reply: FastifyReply, call: Call) => Promise<Caller>;

/** Authenticates the callers of each area; each throws ACCESS_DENIED or CALL_NOT_PERMITTED. Made in app/, so that no room depends on another. */
export interface AreaGuards {
  readonly protected: Guard<ClientCaller>;
  readonly publisher: Guard<PublisherCaller>;
  /** Open calls need no session; some of them use one when it is sent. */
  readonly open: Guard<ClientCaller | undefined>;
  readonly auth: Guard<undefined>;
  readonly system: Guard<undefined>;
}

const schemaOf = (call: Call): FastifySchema => ({
  ...(call.params === undefined ? {} : { params: call.params }),
  ...(call.query === undefined ? {} : { querystring: call.query }),
  ...(call.body === undefined ? {} : { body: call.body }),
  ...(typeof call.answer === 'object' ? { response: { [call.status ?? 200]: call.answer } } : {}),
});

const isBytes = (answer: unknown): answer is Bytes =>
  answer !== null && typeof answer === 'object' && 'body' in answer && 'contentType' in answer;

const send = (reply: FastifyReply, call: Call, answer: unknown): FastifyReply => {
  // A handler that has answered itself (304) is left alone.
  if (reply.sent) return reply;
  if (call.answer === 'nothing') return reply.code(204).send();
  if (call.answer === 'redirect') return reply.redirect(String(answer), 303);
  if (call.answer === 'bytes') {
    if (!isBytes(answer)) throw new TypeError(`${call.name} answers with bytes, its handler with something else`);
    void reply.headers(answer.headers ?? {}).code(answer.status ?? 200);
    if (answer.status === 304 || answer.status === 416) return reply.send();
    return reply.type(answer.contentType).send(answer.body);
  }
  if (call.status !== undefined) void reply.code(call.status);
  return reply.send(answer);
};

/** Where a path with this area must begin; a route outside its area is a mistake in the contract and refused at start. */
const assertArea = (call: Call): void => {
  const areas = Object.entries(areaPrefixes).flatMap(([area, prefix]) => (call.path.startsWith(prefix) ? [area] : []));
  const fits = call.area === 'system' ? areas.length === 0 : areas.length === 1 && areas[0] === call.area;
  if (!fits) throw new Error(`${call.name}: the path ${call.path} is not in the area ${call.area}`);
};

/** Both specifications' /resources and /static paths answer under /api too (row P). */
const addressesOf = ({ path }: Call): readonly string[] =>
  path.startsWith('/resources/') || path.startsWith('/static/') ? [path, `/api${path}`] : [path];

/**
 * Throws what it does not answer, for the one place that answers errors. An outage of the database stays a 503 also for a browser: a proxy then asks
 * another machine, which may have its database.
 */
const errorHandlerOf =
  (leadBack: NonNullable<Route['leadBack']>) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (!(error instanceof PortalError) || !isNavigation(request)) throw error;
    if (error.status >= 500) request.log.error({ err: error, call: request.routeOptions.url }, 'call failed');
    if (error.retryAfterSeconds !== undefined) void reply.header('retry-after', String(error.retryAfterSeconds));
    void reply.redirect(leadBack(error), 303);
  };

interface Mounting {
  readonly guards: AreaGuards;
  readonly queues: CallQueues;
}

const maxFormBytes = 16 * 1024;

/** A form of fields alone; the reader of an upload has a limit of its own. */
const limitFields = (call: Call, request: FastifyRequest): void => {
  if (Object.values(call.form ?? {}).includes('file')) return;
  limitMultipart(request, { maxBytes: maxFormBytes, error: invalidField('body', `longer than ${maxFormBytes} bytes`) });
};

const mount = (server: FastifyInstance, { call, handle, bodyLimit, leadBack }: Route, { guards, queues }: Mounting): void => {
  const guard: Guard<ClientCaller | PublisherCaller | undefined> = guards[call.area];
  const callers = new WeakMap<FastifyRequest, ClientCaller | PublisherCaller>();
  const requireKnown = createParameterGuard(call);
  for (const url of addressesOf(call))
    server.route({
      method: call.answersHead === true ? [call.method, 'HEAD'] : call.method,
      url,
      schema: schemaOf(call),
      // A HEAD would do all the work of the call, and leave its marks: those that know of it say so.
      exposeHeadRoute: call.area === 'system',
      ...(bodyLimit === undefined ? {} : { bodyLimit }),
      ...(leadBack === undefined ? {} : { errorHandler: errorHandlerOf(leadBack) }),
      onRequest: async (request, reply) => {
        if (call.area !== 'system') void reply.header('cache-control', 'private, no-store').header('vary', 'Authorization, Cookie');
        const caller = await guard(request, reply, call);
        if (caller !== undefined) callers.set(request, caller);
      },
      preValidation: async ({ query }) => requireKnown(query),
      handler: async (request, reply) => {
        const caller = callers.get(request);
        // Validated by the row's own schemas before the handler is called.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const context = {
          params: request.params,
          query: request.query,
          body: request.body,
          caller,
          request,
          reply,
        } as Context<Call>;
        if (call.form !== undefined && request.isMultipart()) limitFields(call, request);
        return queues.answer({
          call,
          caller,
          request,
          reply,
          handle: () => handle(context),
          send: (answer) => send(reply, call, answer),
        });
      },
    });
};

/** In a scope of its own, so that no other call can be sent as a form, which any site may do without asking. */
const mountForm = (server: FastifyInstance, route: Route, mounting: Mounting): void => {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    );
    if (route.isReport === true)
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, scope.getDefaultJsonParser('error', 'error'));
    mount(scope, route, mounting);
  });
};

/** In a scope of their own too: for every other call a multipart body is of an unknown type, and refused before it is read. */
const mountUploads = (server: FastifyInstance, routes: readonly Route[], mounting: Mounting): void => {
  void server.register(async (scope) => {
    await scope.register(multipart, {
      throwFileSizeLimit: true,
      limits: { fieldNameSize: 100, fieldSize: publishingLimits.maxDescriptionBytes, fields: 10, files: 1, parts: 12, headerPairs: 50 },
    });
    for (const route of routes) mount(scope, route, mounting);
  });
};

/** More parts than any address has: of a longer path no more is looked at. */
const mostParts = 30;

const partsOf = (path: string): readonly string[] => path.split('/', mostParts);

/** Whether a path is this address, with something in the place of each parameter. */
const isLike = (path: readonly string[], address: readonly string[]): boolean =>
  path.length === address.length && address.every((part, place) => (part.startsWith(':') ? path[place] !== '' : part === path[place]));

/** 405 for the other methods of a known address, before a body is read. OPTIONS too, so that every CORS preflight fails. */
const refuseOtherMethods = (server: FastifyInstance, routes: readonly Route[]): void => {
  const known = new Map<string, Set<string>>();
  for (const { call } of routes)
    for (const address of addressesOf(call)) {
      const methods = known.get(address) ?? new Set();
      known.set(address, methods.add(call.method));
      if (call.answersHead === true || (call.method === 'GET' && call.area === 'system')) methods.add('HEAD');
    }
  const addresses = [...known].map(([address, methods]) => ({ parts: partsOf(address), methods }));
  const findLike = (path: readonly string[]): ReadonlySet<string> | undefined =>
    addresses.find(({ parts }) => isLike(path, parts))?.methods;
  server.addHook('onRequest', async (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    // An address without parameters may look like one with them, which has other methods.
    const methods = known.get(path) ?? (request.is404 ? findLike(partsOf(path)) : undefined);
    if (methods === undefined || methods.has(request.method)) return undefined;
    return reply
      .code(405)
      .header('allow', [...methods].join(', '))
      .send();
  });
};

/** Order of a call: guard, validation, fair queue, the room's handler. An unauthenticated caller never learns whether a request was valid. */
export const mountRoutes = (server: FastifyInstance, routes: readonly Route[], guards: AreaGuards): void => {
  const mounting = { guards, queues: createCallQueues() };
  refuseOtherMethods(server, routes);
  for (const route of routes) {
    assertArea(route.call);
    if (route.isForm === true || route.isReport === true) mountForm(server, route, mounting);
    else if (route.call.form === undefined) mount(server, route, mounting);
  }
  mountUploads(
    server,
    routes.filter(({ call }) => call.form !== undefined),
    mounting,
  );
};
