import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { createFileObjects } from '../server/src/platform/objects/file-objects.ts';
import { asker } from './received-list.data.ts';

/** A letter with a picture in it, in bytes. */
const documentBytes = 160_000;

const documents = `
  insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, reg_date, meta,
    search_text, published_by)
  select gen_random_uuid(), 'PRIVATE', 'private', $1, 'Umowa rachunku nr ' || nth || '.pdf', stored.key, stored.sha256, $4, 2,
    '[{"width": 595.28, "height": 841.89}]', timestamptz '2026-11-01' - make_interval(hours => nth::int), date '2026-11-01' - nth::int / 24,
    '{}', 'umowa rachunku ' || nth, 'bench'
  from unnest($2::text[], $3::text[]) with ordinality as stored (key, sha256, nth)`;

const rest = [
  `insert into publication (document_id, sha256, cif, size, at) select id, sha256, cif, size, published_at from document`,
  `insert into delivery (principal, document_id, kind, published_at, listed_on)
    select 'cif:' || cif, id, kind, published_at, reg_date from document`,
  `insert into statute_acceptance (personal_id, statute_id, version, sha256, accepted_at)
    select '${asker.personalId}', id, version, sha256, effective_from from statute on conflict do nothing`,
];

/** Documents of the client who asks, stored where the portal keeps its objects. Gives their ids. */
export const storeDocuments = async (pool: Pool, { dataDir, count }: { dataDir: string; count: number }): Promise<string[]> => {
  const objects = await createFileObjects(join(dataDir, 'objects'));
  const keys: string[] = [];
  const hashes: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const { key, sha256 } = await objects.put(Readable.from([randomBytes(documentBytes)]));
    keys.push(key);
    hashes.push(sha256);
  }
  await pool.query(documents, [asker.cif, keys, hashes, documentBytes]);
  for (const statement of rest) await pool.query(statement);
  const { rows } = await pool.query<{ id: string }>('select id from document');
  return rows.map(({ id }) => id);
};
