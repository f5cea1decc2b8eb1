import { once } from 'node:events';
import { createServer } from 'node:net';
import { portOf } from './raw-http.ts';

/** A port of 127.0.0.1 that was free a moment ago, for a program that is told its port. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
};
