/** Tells that the port is taken before anything is installed or built; imports nothing from node_modules, because there may be none yet. */
import { once } from 'node:events';
import net from 'node:net';
import { SetupError } from './bootstrap.mjs';

const standardPort = 8080;
const highestPort = 65_535;

/**
 * As the portal itself will listen by these settings. What is wrong with them, or closed to this user, the portal says itself.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @throws SetupError when another program listens there
 */
export async function ensurePort(environment) {
  const port = Number(environment.PORT || standardPort);
  if (!Number.isInteger(port) || port < 1 || port > highestPort) return;
  const host = environment.HOST || (isLoopback(environment.PUBLIC_URL) ? '127.0.0.1' : '::');
  const server = net.createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    if (error.code !== 'EADDRINUSE') return;
    const other = port === highestPort ? port - 1 : port + 1;
    throw new SetupError(
      `PORT: another program listens on port ${port} of ${host} already, so nothing was installed or built. ` +
        `End it, or choose another port: PORT=${other} npm start`,
    );
  }
  server.close();
  await once(server, 'close');
}

function isLoopback(publicUrl) {
  if (!publicUrl) return true;
  if (!URL.canParse(publicUrl)) return false;
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(publicUrl).hostname);
}
