import type { AnswerOf, BodyOf, calls, DefinitionRecord, MetadataMap } from '@pergamin/contract';
import type { Db } from '#platform/database/schema.ts';
import { recordChanges } from '#platform/configuration/configuration-changes.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import { defineMetadata } from './define-metadata.ts';
import { isOfPublishers, recordOf } from './definitions.rules.ts';
import { createDefinitions, type MetadataDefinitions } from './metadata-definitions.ts';
import {
  findDictionary,
  findVersion,
  listDefinitions,
  listDictionaries,
  lockDefinitions,
  replaceDictionary,
  upsertMarker,
} from './metadata.store.ts';
import { readPublicationValues, type PublicationValues } from './publication.rules.ts';

/** A change made by another process is seen after at most this time; one of this process, at once. */
const maxAgeMs = 1_000;

type DictionaryBody = BodyOf<typeof calls.upsertDictionary>;

/** The meaning of metadata values: definitions, dictionaries, visibility of keys, and what a publisher may write. */
export type Metadata = ReturnType<typeof createMetadataService>;

interface Parts {
  readonly db: Db;
  readonly settings: { readonly statementMarkerKey: string };
}

/** Their options are states and types of the product, not words of an installation. */
const ownDictionaries = new Set(['TYPE', 'STATE']);

/** All definitions, kept in memory and compared with the database's version number at most once a second. */
const createDefinitionCache = (db: Db, markerKey: string) => {
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
    read,
    forget,
    current: async (): Promise<MetadataDefinitions> =>
      kept !== undefined && performance.now() < freshUntilMs ? kept.definitions : refresh(),
  };
};

export const createMetadataService = ({ db, settings }: Parts) => {
  const markerKey = settings.statementMarkerKey;
  const { read, forget, current } = createDefinitionCache(db, markerKey);

  return {
    definitions: current,

    /** Checks a publisher's metadata against the definitions of this moment. The reader throws DOCUMENT_METADATA_ERROR with `fields.<key>`. */
    openReader: async (): Promise<(values: MetadataMap) => PublicationValues> => {
      const definitions = await read();
      return (values) => readPublicationValues(values, definitions);
    },

    /** Creates or replaces a dictionary; options that documents carry are kept. Throws VALIDATION_ERROR for those of the portal itself. */
    async upsertDictionary(id: string, { name, values }: DictionaryBody, key: PublisherCaller): Promise<void> {
      if (ownDictionaries.has(id)) throw invalidField('id', 'a dictionary of the portal itself');
      const keys = values.map(({ key }) => key);
      const twice = keys.find((key, place) => keys.indexOf(key) < place);
      if (twice !== undefined) throw invalidField('values', `the option ${twice} is there twice`);
      await db.transaction().execute(async (trx) => {
        // Of two at once the second sees what the first one made.
        await lockDefinitions(trx);
        const before = await findDictionary(trx, id);
        await replaceDictionary(trx, { id, name, values });
        const after = await findDictionary(trx, id);
        if (after !== undefined) await recordChanges(trx, 'dictionary', { key, changes: [{ subject: id, before: before ?? null, after }] });
      });
      forget();
    },

    /** What a publisher may set, in the form in which `define` takes it. */
    listRecords: async (): Promise<DefinitionRecord[]> => {
      const { all } = await read();
      return all.filter((definition) => isOfPublishers(definition, markerKey)).map(recordOf);
    },

    /** All or nothing; a dry run changes nothing. Throws VALIDATION_ERROR naming the item and the field. */
    async define(
      items: readonly DefinitionRecord[],
      { isDry, key }: { isDry: boolean; key: PublisherCaller },
    ): Promise<AnswerOf<typeof calls.defineMetadata>> {
      const answer = await db.transaction().execute((trx) => defineMetadata(trx, items, { isDry, markerKey, key }));
      if (!isDry) forget();
      return answer;
    },

    /** At every start: the statement marker gets its definition under the configured key. Throws when that key means something else. */
    async ensureMarker(): Promise<void> {
      const isOurs = await db.transaction().execute((trx) => upsertMarker(trx, markerKey));
      if (!isOurs) throw new Error(`STATEMENT_MARKER_KEY: ${markerKey} is the key of other metadata`);
      forget();
    },
  };
};
