import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#platform/clock/clock.ts';
import type { Log } from '#platform/log/log.ts';
import { isWithin, type Network, readAddress, readNetwork } from './network.ts';

type Asked = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Of a connection that is gone. All of them are counted together. */
const nowhere = 'unknown';

const peerOf = ({ socket }: Asked): string => {
  const { remoteAddress } = socket;
  return remoteAddress === undefined ? nowhere : (readAddress(remoteAddress) ?? nowhere);
};

/**
 * Where a request comes from: the nearest address that no trusted proxy has. The forwarding header is read from its end, hop by hop; an entry
 * that is no address stops at the hop before it, since text that a stranger may choose would be counted as another network each time.
 */
const clientAddressOf = (asked: Asked, trusted: readonly Network[]): string => {
  let address = peerOf(asked);
  if (!isWithin(trusted, address)) return address;
  const forwarded = [asked.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  for (const entry of forwarded.toReversed()) {
    const before = readAddress(entry);
    if (before === undefined) return address;
    address = before;
    if (!isWithin(trusted, address)) return address;
  }
  return address;
};

const warnEveryMs = 3_600_000;

const tellOfForwarding = (server: FastifyInstance, { trusted, clock, log }: Parts & { trusted: readonly Network[] }): void => {
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const header = ['x-forwarded-for', 'forwarded'].find((name) => headers[name] !== undefined);
    if (header !== undefined) {
      const nowMs = clock.now().getTime();
      const peer = peerOf(request.raw);
      if (nowMs - warnedAtMs >= warnEveryMs && !isWithin(trusted, peer)) {
        warnedAtMs = nowMs;
        log.warn(
          { peer, header },
          'a peer that is not trusted says for whom it asks; if it is your own proxy, add its address to TRUSTED_PROXIES: until then all of its visitors are counted as one',
        );
      }
    }
    done();
  });
};

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Makes `request.ip` the client's address in canonical form, for everything that counts or logs by it. Fastify's own `trustProxy` would take an
 * entry with a port, or any other text, unchanged. Warns once an hour when a proxy seems to have been forgotten.
 */
export const setClientAddress = (
  server: FastifyInstance,
  { trustedProxies, ...parts }: Parts & { readonly trustedProxies: readonly string[] },
): void => {
  const trusted = trustedProxies.map((written) => {
    const network = readNetwork(written);
    if (network === undefined) throw new Error(`${written} is no network`);
    return network;
  });
  server.decorateRequest('ip', {
    getter() {
      return clientAddressOf(this.raw, trusted);
    },
  });
  tellOfForwarding(server, { trusted, ...parts });
};
