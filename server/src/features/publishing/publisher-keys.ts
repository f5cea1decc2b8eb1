import { randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { type Call, publisherScopes, type PublisherScope } from '@pergamin/contract';
import type { FastifyRequest } from 'fastify';
import { randomToken, sha256 } from '#platform/crypto/secrets.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { hasCode } from '#platform/disk/files.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Log } from '#platform/log/log.ts';
import { createRepeatedLines } from '#platform/log/repeated-lines.ts';

/** The key of the first start may do everything but act as a demonstration. */
const firstKeyName = 'first key';

const isScope = (scope: string): scope is PublisherScope => publisherScopes.some((known) => known === scope);

/** API keys of publishers. A key is `pk_` and 43 characters; rows hold only its SHA-256. */
export interface PublisherKeys {
  /** From `Authorization: Bearer <key>`. Throws ACCESS_DENIED for a missing, unknown or revoked key, CALL_NOT_PERMITTED without the call's scope. */
  authenticate(request: FastifyRequest, call: Call): Promise<PublisherCaller>;
  /**
   * Throws ACCESS_DENIED when the caller's key was revoked meanwhile. The key is locked until the transaction ends, so that a revocation finds
   * everything that was published with it.
   */
  requireValid(trx: Trx, caller: PublisherCaller): Promise<void>;
  /** Makes a key and returns it, once: only its hash is kept. */
  issue(options: { name: string; scopes: readonly PublisherScope[]; demo?: boolean }): Promise<string>;
  /** Ends every key of the demonstration. */
  revokeDemo(): Promise<void>;
  /**
   * At the very first start: a key with every scope, written to `path` with mode 0600. Later starts change nothing. A key in that file
   * that the database does not know (an interrupted start, another database) becomes the first key.
   */
  ensureFirst(path: string): Promise<void>;
}

const keyOf = (request: FastifyRequest): string | undefined => /^Bearer (pk_[\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1];

const makeKey = (): string => `pk_${randomToken()}`;

/** Writes a new key for its owner only, or reads the existing one. */
const writeKey = async (path: string): Promise<string> => {
  try {
    const key = makeKey();
    await using file = await open(path, 'wx', 0o600);
    await file.write(`${key}\n`);
    await file.sync();
    return key;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const left = (await readFile(path, 'utf8')).trim();
    if (!/^pk_[\w-]{43}$/.test(left)) throw new Error(`${path} holds no key; move it away to get a new one`, { cause: error });
    return left;
  }
};

/** Waits for publications under way with these keys, and lets no other begin. */
export const revokeDemoKeys = async (db: Db): Promise<void> => {
  await db.updateTable('publisher_key').set({ revoked_at: new Date() }).where('demo', '=', true).where('revoked_at', 'is', null).execute();
};

export const createPublisherKeys = (db: Db, running: { clock: Clock; log: Log }): PublisherKeys => {
  const lines = createRepeatedLines(running);

  const keep = async (key: string, { name, scopes, demo = false }: Parameters<PublisherKeys['issue']>[0]): Promise<void> => {
    await db
      .insertInto('publisher_key')
      .values({ id: randomUUID(), name, key_hash: sha256(key), scopes: [...scopes], demo })
      .execute();
  };

  const refused = (reason: string): PortalError => {
    lines.warn(reason, { reason }, 'publisher key refused');
    return new PortalError('ACCESS_DENIED');
  };

  return {
    async issue(options) {
      const key = makeKey();
      await keep(key, options);
      return key;
    },

    revokeDemo: () => revokeDemoKeys(db),

    async authenticate(request, call) {
      const key = keyOf(request);
      if (key === undefined) throw refused('missing or malformed');
      const row = await db
        .selectFrom('publisher_key')
        .select(['id', 'name', 'scopes', 'demo'])
        .where('key_hash', '=', sha256(key))
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (row === undefined) throw refused('unknown or revoked');
      const scopes = row.scopes.filter(isScope);
      if (call.scope === undefined || !scopes.includes(call.scope)) {
        lines.warn(
          `${row.id} ${call.name}`,
          { keyId: row.id, call: call.name, reason: 'without the scope of the call' },
          'publisher key refused',
        );
        throw new PortalError('CALL_NOT_PERMITTED');
      }
      return { keyId: row.id, name: row.name, scopes, demo: row.demo };
    },

    async requireValid(trx, { keyId }) {
      const row = await trx
        .selectFrom('publisher_key')
        .select('id')
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null)
        .forShare()
        .executeTakeFirst();
      if (row === undefined) throw new PortalError('ACCESS_DENIED');
    },

    async ensureFirst(path) {
      const known = await db.selectFrom('publisher_key').select('id').where('name', '=', firstKeyName).executeTakeFirst();
      if (known !== undefined) return;
      // The file comes first: after an interruption in between, the next start finds the key.
      await keep(await writeKey(path), { name: firstKeyName, scopes: publisherScopes });
    },
  };
};
