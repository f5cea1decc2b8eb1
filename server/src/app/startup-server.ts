import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { calls, errorCodes, type ErrorBody } from '@pergamin/contract';

const retryAfterSeconds = 5;

const unavailable: ErrorBody = { code: 'STORAGE_ERROR', message: errorCodes.STORAGE_ERROR.message };

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

/** Answers in place of the portal until that can listen itself: alive, and not ready. Throws when the port is taken. */
export const openStartupServer = async (address: { readonly host: string; readonly port: number }) => {
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 16 * 1024 }, answer);
  server.listen(address);
  await once(server, 'listening');
  return {
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
