import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import { formatDatabaseUrl } from './database-server.ts';
import { portOf } from './raw-http.ts';

export interface DatabaseProxy extends AsyncDisposable {
  readonly connection: DatabaseConnection;
  readonly url: string;
  /** Breaks every connection. */
  cut(): void;
  /** Breaks every connection and takes no new ones, as a server that has ended. */
  end(): Promise<void>;
  /** Takes connections again. */
  start(): Promise<void>;
  /** Keeps every connection open, takes new ones, and carries nothing any more. */
  silence(): void;
  /** Carries again, also what was held back. */
  resume(): void;
}

/** A proxy in front of a real database that fails as networks and servers do. */
export const startDatabaseProxy = async (target: DatabaseConnection): Promise<DatabaseProxy> => {
  const open = new Set<Socket>();
  let isSilent = false;
  const hold = (socket: Socket): void => void (isSilent ? socket.pause() : socket.resume());

  const carry = (from: Socket, to: Socket): void => {
    open.add(from);
    from.on('data', (chunk) => {
      if (isSilent) {
        from.pause();
        from.unshift(chunk);
      } else to.write(chunk);
    });
    from.on('error', () => {});
    from.on('close', () => {
      open.delete(from);
      to.destroy();
    });
    hold(from);
  };
  const server = createServer((near) => {
    const isSocket = target.host.startsWith('/');
    const far = connect(isSocket ? { path: `${target.host}/.s.PGSQL.${target.port}` } : { host: target.host, port: target.port });
    carry(near, far);
    carry(far, near);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const end = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  };
  await listen(0);
  const port = portOf(server);
  const connection = { ...target, host: '127.0.0.1', port };
  return {
    connection,
    url: formatDatabaseUrl(connection),
    cut,
    end,
    start: () => listen(port),
    silence() {
      isSilent = true;
      for (const socket of open) hold(socket);
    },
    resume() {
      isSilent = false;
      for (const socket of open) hold(socket);
    },
    [Symbol.asyncDispose]: end,
  };
};
