import type { MetadataMap, BodyOf, calls } from '@pergamin/contract';
import type { Db } from '#platform/database/schema.ts';
import { invalidField } from '#platform/http/errors.ts';
import { createDefinitions, type MetadataDefinitions } from './metadata-definitions.ts';
import { findVersion, listDefinitions, listDictionaries, replaceDictionary, upsertMarker } from './metadata.store.ts';
import { readPublicationValues, type PublicationValues } from './publication.rules.ts';

/** A change made by another process is seen this much later at the latest; one made here, at once. */
const maxAgeMs = 1_000;

type DictionaryBody = BodyOf<typeof calls.upsertDictionary>;

/** What the values of documents mean: definitions, dictionaries, who sees which, what a publisher may write. */
export interface Metadata {
  /** Kept in memory and compared with the database's version number at most once a second. */
  definitions(): Promise<MetadataDefinitions>;
  /** Checks a publisher's metadata against the definitions of this moment. Throws DOCUMENT_METADATA_ERROR with `fields.<key>`. */
  readPublication(values: MetadataMap): Promise<PublicationValues>;
  /** Creates or replaces a dictionary; options that documents carry are kept. Throws VALIDATION_ERROR for those of the portal itself. */
  upsertDictionary(id: string, body: DictionaryBody): Promise<void>;
  /** At every start: the statement marker gets its definition under the configured key. Throws when that key means something else. */
  ensureMarker(): Promise<void>;
}

interface Parts {
  readonly db: Db;
  readonly settings: { readonly statementMarkerKey: string };
}

/** Their options are states and types of the product, not words of an installation. */
const ownDictionaries = new Set(['TYPE', 'STATE']);

export const createMetadataService = ({ db, settings }: Parts): Metadata => {
  const markerKey = settings.statementMarkerKey;
  let kept: { version: string | undefined; definitions: MetadataDefinitions } | undefined;
  let freshUntilMs = 0;
  let refreshing: Promise<MetadataDefinitions> | undefined;

  const read = async (): Promise<MetadataDefinitions> => {
    const version = await findVersion(db);
    if (kept !== undefined && kept.version === version) return kept.definitions;
    const rows = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => ({
        version: await findVersion(trx),
        all: await listDefinitions(trx),
        dictionaries: await listDictionaries(trx),
      }));
    kept = { version: rows.version, definitions: createDefinitions({ ...rows, markerKey }) };
    return kept.definitions;
  };

  const refresh = async (): Promise<MetadataDefinitions> => {
    const startedAtMs = performance.now();
    const mine = (refreshing ??= read());
    try {
      const definitions = await mine;
      // Nothing was written here meanwhile.
      if (refreshing === mine) freshUntilMs = startedAtMs + maxAgeMs;
      return definitions;
    } finally {
      if (refreshing === mine) refreshing = undefined;
    }
  };

  /** What is being read may be older than what was just written. */
  const forget = (): void => {
    refreshing = undefined;
    freshUntilMs = 0;
  };

  return {
    definitions: async () => (kept !== undefined && performance.now() < freshUntilMs ? kept.definitions : refresh()),

    readPublication: async (values) => readPublicationValues(values, await read()),

    async upsertDictionary(id, { name, values }) {
      if (ownDictionaries.has(id)) throw invalidField('id', 'a dictionary of the portal itself');
      const seen = new Set<string>();
      for (const { key } of values) {
        if (seen.has(key)) throw invalidField('values', `the option ${key} is there twice`);
        seen.add(key);
      }
      await db.transaction().execute((trx) => replaceDictionary(trx, { id, name, values }));
      forget();
    },

    async ensureMarker() {
      const isOurs = await db.transaction().execute((trx) => upsertMarker(trx, markerKey));
      if (!isOurs) throw new Error(`STATEMENT_MARKER_KEY: ${markerKey} is the key of other metadata`);
      forget();
    },
  };
};
