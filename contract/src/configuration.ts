import * as z from 'zod/mini';
import { publisherCall } from './call.ts';
import { epochMs, wholeNumber } from './values.ts';

export const configurationKind = z.enum(['metadata', 'dictionary', 'category', 'group']);
export type ConfigurationKind = z.output<typeof configurationKind>;

/**
 * One thing before and after a change, as the calls take it; null before it was there. Of a group only the members who left (`before`) and those
 * who joined (`after`).
 */
const version = z.nullable(z.record(z.string(), z.unknown()));

export const configurationChange = z.object({
  id: z.int(),
  kind: configurationKind,
  /** The id of what was changed. */
  subject: z.string(),
  at: epochMs,
  keyId: z.string(),
  keyName: z.string(),
  before: version,
  after: version,
});
export type ConfigurationChange = z.output<typeof configurationChange>;

export const listConfigurationChanges = publisherCall({
  name: 'listConfigurationChanges',
  method: 'GET',
  path: '/api/publisher/configuration/changes',
  summary: 'What was changed in metadata keys, dictionaries, categories and groups, by which key and when, the latest first',
  scope: 'configuration:read',
  query: z.object({
    kind: z.optional(configurationKind),
    /** The `id` of the last change that is known. */
    before: z.optional(wholeNumber(0, 999_999_999_999_999)),
  }),
  /** `more`: ask again with the id of the last one as `before`. */
  answer: z.object({ items: z.array(configurationChange), more: z.boolean() }),
});
