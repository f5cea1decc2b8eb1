import type { FastifyInstance } from 'fastify';
import { tilePath, type TileName } from '@pergamin/ledger';
import type { Db } from '#platform/database/schema.ts';
import type { CallLimits } from '#platform/http/call-limit.ts';
import { createLedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { findNewestTimestamp } from '../dating.store.ts';
import { auditLedger, findDispute, type LedgerFindings } from './audit.ts';
import { serveLogFiles } from './log-files.ts';
import { policyOf, type WrittenPolicy } from './policy.ts';
import { ledgerReadingRoutes } from './reading.routes.ts';
import { createLedgerReading } from './reading.service.ts';
import { isStoredIn } from './traces.ts';

interface Given {
  readonly db: Db;
  readonly settings: { readonly ledgerDir: string; readonly isLedgerPublic: boolean };
  /** Why nothing is entered now; undefined while all is well. */
  readonly halted: () => string | undefined;
  readonly policy: WrittenPolicy;
  readonly log: Log;
  readonly objects: Pick<Objects, 'open'>;
}

/** What happened to documents, as everyone may ask for it (T2): the reading side of the ledger. */
export type LedgerReader = ReturnType<typeof createLedgerReader>;

export const createLedgerReader = ({ db, settings, halted, policy, log, objects }: Given) => {
  const { files, reading } = openReading({ db, settings, halted, log });
  return {
    ...reading,
    /** Whom a verifier of this ledger's receipts may trust. Throws NOT_FOUND_BC while nothing was ever published. */
    policy: async (): Promise<string> => policyOf((await reading.getTree()).verifierKey, policy),
    /** What is wrong with the statements about a document that has this state; undefined: nothing. */
    findDispute: (documentId: string, state: string) => findDispute(db, documentId, state),
    audit: (signal?: AbortSignal) => auditLedger({ db, files, reading, isStored: isStoredIn(objects) }, signal),
    serveFiles: (server: FastifyInstance, limits: CallLimits): void =>
      serveLogFiles(server, { isPublic: settings.isLedgerPublic, reading, readFile: (name) => files.read(name), limits }),
    routes: ledgerReadingRoutes({ reading, policy, findTimestamp: () => findNewestTimestamp(db), halted }),
  };
};

const openReading = ({ db, settings, halted, log }: Omit<Given, 'policy' | 'objects'>) => {
  const files = createLedgerFiles(settings.ledgerDir);
  const readTile = async (name: TileName): Promise<Uint8Array> => {
    const bytes = await files.read(name).catch((error: unknown) => {
      throw new Error(`${tilePath(name)} cannot be read`, { cause: error });
    });
    if (bytes === undefined) throw new Error(`${tilePath(name)} is missing`);
    return bytes;
  };
  return { files, reading: createLedgerReading({ db, readTile, halted, log }) };
};

/** Without a portal. */
export const auditLedgerOf = ({
  db,
  settings,
  log,
  objects,
}: Pick<Given, 'db' | 'settings' | 'log' | 'objects'>): Promise<LedgerFindings> =>
  auditLedger({ db, ...openReading({ db, settings, halted: () => undefined, log }), isStored: isStoredIn(objects) });
