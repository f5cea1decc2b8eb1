import { Server, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** How long a connection that is open still may be used. A proxy has chosen it for a request by then, or has seen that no more are taken. */
const lastRequestsMs = 1_000;

export type Draining = ReturnType<typeof createDraining>;

/** Draining before a stop: a proxy moves its requests elsewhere, and everything that still comes is served until its connection ends. */
export const createDraining = (server: FastifyInstance) => {
  let hasBegun = false;
  let accepted = 0;
  /** On which nothing was ever said: Node takes none of them for idle. */
  const silent = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    accepted += 1;
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.server.on('request', ({ socket }) => silent.delete(socket));
  const endConnection = (reply: FastifyReply): void => {
    if (hasBegun) void reply.header('connection', 'close');
  };
  // Answers that leave the framework take the headers of their request along.
  server.addHook('onRequest', async (_request, reply) => endConnection(reply));
  server.addHook('onSend', async (_request, reply) => endConnection(reply));

  return {
    /** From here on every answer ends its connection, and readiness says that no more should come. */
    begin(): void {
      hasBegun = true;
    },
    hasBegun: (): boolean => hasBegun,
    /** Accepts no more connections; resolves when all are gone, each after what came on it was answered. */
    async end(): Promise<void> {
      hasBegun = true;
      if (!server.server.listening) return;
      // What waits to be accepted would be reset.
      for (let quietTurns = 0; quietTurns < 3; quietTurns += 1) {
        const before = accepted;
        await setImmediate();
        if (accepted !== before) quietTurns = -1;
      }
      const gone = Promise.withResolvers<void>();
      // @NOTE not the HTTP server's own close, which closes idle connections at once: a proxy may be sending a request on one.
      Server.prototype.close.call(server.server, () => gone.resolve());
      await Promise.race([gone.promise, setTimeout(lastRequestsMs, undefined, { ref: false })]);
      server.server.closeIdleConnections();
      for (const socket of silent) socket.destroy();
      await gone.promise;
    },
  };
};
