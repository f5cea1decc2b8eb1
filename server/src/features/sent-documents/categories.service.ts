import { isDeepStrictEqual } from 'node:util';
import type { AnswerOf, BodyOf, calls, Category, CategoryRecord } from '@pergamin/contract';
import { recordChanges } from '#platform/configuration/configuration-changes.ts';
import type { ClientCaller, PublisherCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import { keepCategory, type KeptCategory, type KeptType, listCategoriesOf, lockCategories } from './categories.store.ts';
import type { SentDocumentsParts } from './parts.ts';

/** What may be sent, in which words, and how long it is kept (R5). */
export type Categories = ReturnType<typeof createCategories>;

export const createCategories = ({ db, clock }: Pick<SentDocumentsParts, 'db' | 'clock'>) => ({
  /** H9: deleted ones only where the caller has sent something of them. */
  list: (caller: ClientCaller): Promise<Category[]> => listCategoriesOf(db, caller.personalId),

  /** All or nothing. Throws VALIDATION_ERROR for an id that is given twice, or a type that belongs to another category. */
  async upsert({ items, dryRun: isDry = false }: BodyOf<typeof calls.upsertCategories>, key: PublisherCaller): Promise<Answer> {
    assertEachOnce(items);
    return db.transaction().execute(async (trx) => {
      const present = new Map((await lockCategories(trx)).map((category) => [category.id, category]));
      assertTypesStay(items, [...present.values()]);
      const answer: Answer = { created: [], changed: [], unchanged: 0 };
      const changes = [];
      for (const item of items) {
        const before = present.get(item.id);
        const after = categoryAfter(item, before, key.demo);
        if (isDeepStrictEqual(before, after)) {
          answer.unchanged += 1;
          continue;
        }
        if (!isDry) await keepCategory(trx, after, clock.now());
        changes.push({ subject: item.id, before: before === undefined ? null : asConfigured(before), after: asConfigured(after) });
        if (before === undefined) answer.created.push({ id: after.id, types: idsOf(after) });
        else answer.changed.push(differenceOf(before, after));
      }
      if (!isDry) await recordChanges(trx, 'category', { changes, key });
      return answer;
    });
  },
});

type Answer = AnswerOf<typeof calls.upsertCategories>;

const idsOf = ({ types }: Pick<KeptCategory, 'types'>): string[] => types.map(({ id }) => id);

const differenceOf = (before: KeptCategory, after: KeptCategory): Answer['changed'][number] => {
  const former = new Map(before.types.map((type) => [type.id, type]));
  const known = after.types.filter(({ id }) => former.has(id));
  const isRemoved = ({ id, deleted }: KeptType): boolean => deleted && former.get(id)?.deleted === false;
  const offered = idsOf({ types: known.filter(({ deleted }) => !deleted) });
  const isInOrder = isDeepStrictEqual(
    idsOf(before).filter((id) => offered.includes(id)),
    offered,
  );
  const fields = (['name', 'retentionDays', 'deleted'] as const).filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return {
    id: after.id,
    fields: isInOrder ? fields : [...fields, 'order'],
    types: {
      added: idsOf(after).filter((id) => !former.has(id)),
      changed: idsOf({ types: known.filter((type) => !isRemoved(type) && !isDeepStrictEqual(former.get(type.id), type)) }),
      removed: idsOf({ types: known.filter(isRemoved) }),
    },
  };
};

/** As `upsertCategories` takes it. */
const asConfigured = ({ demo: _, ...category }: KeptCategory) => category;

const categoryAfter = (item: CategoryRecord, before: KeptCategory | undefined, demo: boolean): KeptCategory => {
  const named: KeptType[] = item.types.map(({ id, name, deleted = false }) => ({ id, name, deleted }));
  const gone = (before?.types ?? []).filter(({ id }) => !named.some((type) => type.id === id));
  return {
    id: item.id,
    name: item.name,
    retentionDays: item.retentionDays ?? null,
    deleted: item.deleted ?? false,
    // What the organisation itself has taken up is no demonstration any more.
    demo: demo && (before?.demo ?? true),
    types: [...named, ...gone.map((type) => ({ ...type, deleted: true }))],
  };
};

const assertEachOnce = (items: readonly CategoryRecord[]): void => {
  const [categories, types] = [new Set<string>(), new Set<string>()];
  for (const [index, item] of items.entries()) {
    if (categories.has(item.id)) throw invalidField(`items.${index}.id`, 'given twice');
    categories.add(item.id);
    for (const [place, { id }] of item.types.entries()) {
      if (types.has(id)) throw invalidField(`items.${index}.types.${place}.id`, 'given twice');
      types.add(id);
    }
  }
};

/** Documents name a type by its id: it cannot go to another category. */
const assertTypesStay = (items: readonly CategoryRecord[], present: readonly KeptCategory[]): void => {
  const owners = new Map(present.flatMap(({ id, types }) => types.map((type) => [type.id, id])));
  for (const [index, item] of items.entries())
    for (const [place, { id }] of item.types.entries()) {
      const owner = owners.get(id);
      if (owner !== undefined && owner !== item.id)
        throw invalidField(`items.${index}.types.${place}.id`, `belongs to the category ${owner}`);
    }
};
