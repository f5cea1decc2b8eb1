import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { calls, errorMessages, type ErrorBody } from '@pergamin/contract';
import { type Settings, SettingsError } from '#platform/settings/settings.ts';

const retryAfterSeconds = 5;

const unavailable: ErrorBody = { code: 'STORAGE_ERROR', message: errorMessages.STORAGE_ERROR };

/** Only constants: nothing of a request is repeated, so its Host does not matter. */
const answer: RequestListener = (request, response) => {
  const path = request.url?.split('?', 1)[0];
  const [status, body] =
    path === calls.getHealth.path
      ? [200, { status: 'ok' }]
      : path === calls.getReadiness.path
        ? [503, { status: 'unavailable' }]
        : [503, unavailable];
  if (status === 503) response.setHeader('retry-after', String(retryAfterSeconds));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
    // The portal itself listens next, and takes over no connections.
    connection: 'close',
  });
  response.end(JSON.stringify(body));
};

type Address = Pick<Settings, 'host' | 'port'>;

/** What `listen` rejects with, as a sentence for the operator where it is one. */
export const listenError = (error: unknown, { host, port }: Address): unknown =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    ? new SettingsError(`PORT: another program listens on port ${port} of ${host} already. End it, or set PORT to a free port`, {
        cause: error,
      })
    : error;

/**
 * Answers in place of the portal until that can listen itself: alive, and not ready.
 * @throws SettingsError when the port is taken
 */
export const openStartupServer = async ({ host, port }: Address) => {
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 16 * 1024 }, answer);
  server.listen({ host, port });
  await once(server, 'listening').catch((error: unknown) => {
    throw listenError(error, { host, port });
  });
  return {
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
