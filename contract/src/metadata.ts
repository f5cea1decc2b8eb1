import * as z from 'zod/mini';
import { openCall, protectedCall } from './call.ts';
import { storableText } from './values.ts';

export const metadataTypes = ['RAW', 'TEXT', 'DECIMAL', 'DATE', 'SIMPLE_DATE', 'BOOLEAN', 'KEY_NAME'] as const;
export type MetadataType = (typeof metadataTypes)[number];

/**
 * A value on the wire: RAW, TEXT and KEY_NAME are strings, DECIMAL and DATE numbers (DATE in epoch ms), SIMPLE_DATE a string `yyyy-mm-dd`,
 * BOOLEAN a boolean. The number −1 in a DATE or SIMPLE_DATE means indefinite.
 */
export const metadataValue = z.union([z.string(), z.number(), z.boolean()]);
export type MetadataValue = z.output<typeof metadataValue>;

/** The same as a caller gives it. */
export const givenValue = (maxLength: number) => z.union([storableText(maxLength), z.number(), z.boolean()]);

/** A key of the metadata, by its name or its number. */
export const metadataId = storableText(64);

/** Emitted by key where there is one, else by number. */
export const metadataMap = z.record(z.string(), metadataValue);
export type MetadataMap = z.output<typeof metadataMap>;

const bilingual = z.object({ pl: z.string(), en: z.string() });

export const metadataDefinition = z.object({
  /** The name where there is one (FILE_NAME), else the number (`4`). */
  id: z.string(),
  number: z.nullable(z.int()),
  name: bilingual,
  description: z.nullable(z.string()),
  type: z.enum(metadataTypes),
  required: z.boolean(),
  system: z.boolean(),
  final: z.boolean(),
  removed: z.boolean(),
  dictionary: z.nullable(z.string()),
  /** Where it is shown: R received, S statements, P public, D details panel, I document information, V verification. */
  screens: z.array(z.enum(['R', 'S', 'P', 'D', 'I', 'V'])),
});
export type MetadataDefinition = z.output<typeof metadataDefinition>;

/** `values` are in the order in which a select offers them; an unknown key is shown as it is (P3). */
export const dictionary = z.object({
  id: z.string(),
  name: bilingual,
  type: z.enum(['KEY_NAME']),
  values: z.array(z.object({ key: z.string(), name: bilingual })),
});
export type Dictionary = z.output<typeof dictionary>;

export const listOwnMetadata = protectedCall({
  name: 'listOwnMetadata',
  method: 'GET',
  path: '/api/protected/metadata/all',
  summary: 'All metadata definitions that a client may see',
  needsStatute: false,
  keepsSessionAlive: false,
  answer: z.object({ items: z.array(metadataDefinition) }),
});

export const mapOwnMetadata = protectedCall({
  name: 'mapOwnMetadata',
  method: 'GET',
  path: '/api/protected/metadata/map',
  summary: 'The metadata definitions that the screens use, in definition order',
  needsStatute: false,
  keepsSessionAlive: false,
  /** `statementMarker`: the key that tells statements from other documents, as the installation names it (D5). */
  answer: z.object({ items: z.array(z.extend(metadataDefinition, { key: z.string() })), statementMarker: z.string() }),
});

export const listPublicMetadata = openCall({
  name: 'listPublicMetadata',
  method: 'GET',
  path: '/api/open/documents/metadata/all',
  summary: 'Metadata definitions that everybody may see',
  answer: z.object({ items: z.array(metadataDefinition) }),
});

export const listDictionaries = openCall({
  name: 'listDictionaries',
  method: 'GET',
  path: '/api/open/documents/metadata/dictionaries/list',
  summary: 'Dictionaries that give KEY_NAME values their names',
  answer: z.object({ items: z.array(dictionary) }),
});
