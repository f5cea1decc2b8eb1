import { randomUUID } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { type Call, publisherScopes, type PublisherScope } from '@pergamin/contract';
import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { randomToken, sha256 } from '#platform/crypto/secrets.ts';
import type { Database } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';

/** The key of the first start may do everything but act as a demonstration. */
const firstKeyName = 'first key';

const isScope = (scope: string): scope is PublisherScope => publisherScopes.some((known) => known === scope);

export interface PublisherKeys {
  /** From `Authorization: Bearer <key>`. Throws ACCESS_DENIED for a missing, unknown or revoked key, CALL_NOT_PERMITTED without the call's scope. */
  authenticate(request: FastifyRequest, call: Call): Promise<PublisherCaller>;
  /** Makes a key and returns it, once: only its hash is kept. */
  issue(options: { name: string; scopes: readonly PublisherScope[]; demo?: boolean }): Promise<string>;
  /** At the very first start: a key with every scope, written to `path` with mode 0600. Later starts change nothing. */
  ensureFirst(path: string): Promise<void>;
}

const keyOf = (request: FastifyRequest): string | undefined => /^Bearer (pk_[\w-]{43})$/.exec(request.headers.authorization ?? '')?.[1];

export const createPublisherKeys = (db: Kysely<Database>): PublisherKeys => {
  const issue: PublisherKeys['issue'] = async ({ name, scopes, demo = false }) => {
    const key = `pk_${randomToken()}`;
    await db
      .insertInto('publisher_key')
      .values({ id: randomUUID(), name, key_hash: sha256(key), scopes: [...scopes], demo })
      .execute();
    return key;
  };

  return {
    issue,

    async authenticate(request, call) {
      const key = keyOf(request);
      if (key === undefined) throw new PortalError('ACCESS_DENIED');
      const row = await db
        .selectFrom('publisher_key')
        .select(['id', 'name', 'scopes', 'demo'])
        .where('key_hash', '=', sha256(key))
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (row === undefined) throw new PortalError('ACCESS_DENIED');
      const scopes = row.scopes.filter(isScope);
      if (call.scope === undefined || !scopes.includes(call.scope)) throw new PortalError('CALL_NOT_PERMITTED');
      return { keyId: row.id, name: row.name, scopes, demo: row.demo };
    },

    async ensureFirst(path) {
      const known = await db.selectFrom('publisher_key').select('id').where('name', '=', firstKeyName).executeTakeFirst();
      if (known !== undefined) return;
      if (
        await stat(path).then(
          () => true,
          () => false,
        )
      )
        throw new Error(`${path} is a key of another database; move it away to get a new one`);
      const key = await issue({ name: firstKeyName, scopes: publisherScopes });
      const file = await open(path, 'wx', 0o600);
      try {
        await file.write(`${key}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
  };
};
