import type { AnswerOf, calls, DefinitionRecord } from '@pergamin/contract';
import { recordChanges } from '#platform/configuration/configuration-changes.ts';
import type { Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { changedFields, definitionAfter, findFixed, recordOf } from './definitions.rules.ts';
import type { Definition } from './metadata-definitions.ts';
import { bumpVersion, isCarried, listDefinitions, listDictionaries, lockDefinitions, putDefinition } from './metadata.store.ts';

type Answer = AnswerOf<typeof calls.defineMetadata>;

interface Settled {
  readonly isDry: boolean;
  readonly markerKey: string;
  readonly key: PublisherCaller;
}

const assertMayChange = async (trx: Trx, { id }: DefinitionRecord, fields: readonly string[]): Promise<void> => {
  const fixed = findFixed(id, fields);
  if (fixed === undefined) return;
  if (fixed.always) throw invalidField(fixed.field, 'part of the product');
  if (await isCarried(trx, id)) throw invalidField(fixed.field, 'cannot change: documents carry this key');
};

/** Names the item beside the field. */
const atItem = (error: unknown, index: number): unknown => {
  if (!(error instanceof PortalError) || error.fields === undefined) return error;
  const fields = Object.fromEntries(Object.entries(error.fields).map(([field, problem]) => [`items.${index}.${field}`, problem]));
  return new PortalError(error.code, { fields, cause: error });
};

/** Within the caller's transaction, under a lock: what was said at a dry run may be different later. */
export const defineMetadata = async (trx: Trx, items: readonly DefinitionRecord[], { isDry, markerKey, key }: Settled): Promise<Answer> => {
  await lockDefinitions(trx);
  const present = new Map<string, Definition>((await listDefinitions(trx)).map((definition) => [definition.id, definition]));
  const dictionaries = new Set((await listDictionaries(trx)).map(({ id }) => id));
  const answer: Answer = { created: [], changed: [], unchanged: 0 };
  const named = new Set<string>();
  const changes: Parameters<typeof recordChanges>[2]['changes'][number][] = [];
  for (const [index, record] of items.entries()) {
    if (named.has(record.id)) throw invalidField(`items.${index}.id`, 'given twice');
    named.add(record.id);
    const before = present.get(record.id);
    try {
      const after = definitionAfter(record, { before, markerKey, dictionaries });
      const fields = before === undefined ? [] : changedFields(before, after);
      await assertMayChange(trx, record, fields);
      if (before === undefined) answer.created.push(record.id);
      else if (fields.length > 0) answer.changed.push({ id: record.id, fields });
      else answer.unchanged += 1;
      if (isDry || (before !== undefined && fields.length === 0)) continue;
      await putDefinition(trx, after);
      changes.push({ subject: record.id, before: before === undefined ? null : recordOf(before), after: recordOf(after) });
    } catch (error) {
      throw atItem(error, index);
    }
  }
  if (changes.length > 0) await bumpVersion(trx);
  await recordChanges(trx, 'metadata', { changes, key });
  return answer;
};
