import { parseTilePath, type TileName } from '@pergamin/ledger';
import type { FastifyInstance } from 'fastify';
import type { CallLimits } from '#platform/http/call-limit.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { LedgerReading } from './reading.service.ts';

interface Parts {
  readonly isPublic: boolean;
  readonly reading: Pick<LedgerReading, 'findTree'>;
  /** Undefined for a tile that is not there. */
  readonly readFile: (name: TileName) => Promise<Uint8Array | undefined>;
  readonly limits: CallLimits;
}

const prefix = '/log/';
const forEver = 'public, max-age=31536000, immutable';

/** The log as C2SP tlog-tiles says: `/log/checkpoint` and `/log/tile/…`, raw, for everyone; RESOURCE_NOT_FOUND for every other name. */
export const serveLogFiles = (server: FastifyInstance, { isPublic, reading, readFile, limits }: Parts): void => {
  const notFound = (): PortalError => new PortalError('RESOURCE_NOT_FOUND');
  server.get(`${prefix}*`, async ({ ip, url }, reply) => {
    limits.takeFrom({ name: 'logFile', area: 'system' }, ip);
    if (!isPublic) throw notFound();
    // As it was written: what is percent-encoded is no name of the log.
    const name = url.slice(prefix.length);
    void reply.header('cross-origin-resource-policy', 'cross-origin');
    if (name === 'checkpoint') {
      const tree = await reading.findTree();
      if (tree === undefined) throw notFound();
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-cache').send(tree.text);
    }
    const tile = parseTilePath(name);
    const bytes = tile === undefined ? undefined : await readFile(tile);
    if (bytes === undefined) throw notFound();
    return reply.type('application/octet-stream').header('cache-control', forEver).send(bytes);
  });
};
