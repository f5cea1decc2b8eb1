import type { FastifyInstance } from 'fastify';
import Fastify from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Times every call by route and status; routes, not addresses, so that ids never become labels. */
  observe(server: FastifyInstance): void;
  /** `/metrics` on a port of its own, for the operator's network only. Resolves to the function that closes it. */
  listen(address: { host: string; port: number }): Promise<() => Promise<void>>;
}

export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'pergamin_call_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    registry,
    observe(server) {
      server.addHook('onResponse', (request, reply, done) => {
        durations.observe(
          { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
          reply.elapsedTime / 1_000,
        );
        done();
      });
    },
    async listen(address) {
      const server = Fastify({ logger: false });
      server.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
      await server.listen(address);
      return () => server.close();
    },
  };
};
