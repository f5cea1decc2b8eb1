import type { Publication } from '@pergamin/contract';
import { findPublished, type PublishedBefore } from '#features/documents/documents.door.ts';
import type { Db } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Upload } from '#platform/http/upload.ts';

/** What was published under these names before. */
export type PublishedNames = ReadonlyMap<string | null, readonly PublishedBefore[]>;

/** `publishedAt`: null until the ledger covers it. */
export type Repeated = PublishedBefore['document'] & { readonly repeated: true };

export const findNamed = async (db: Db, publications: readonly Publication[]): Promise<PublishedNames> => {
  const uniqueNames = publications.flatMap(({ uniqueName }) => (uniqueName === undefined ? [] : [uniqueName]));
  return uniqueNames.length === 0 ? new Map() : Map.groupBy(await findPublished(db, { uniqueNames }), ({ uniqueName }) => uniqueName);
};

/**
 * The same unique name with the same bytes is the same publication made again (R1), and so is the same replacement. What belongs to the
 * demonstration is removed one day, and backdated: it is never taken for a real publication. Throws RESOURCE_DUPLICATE for a name that is taken.
 */
export const findRepeated = async (
  db: Db,
  { description, sha256 }: Pick<Upload<Publication>, 'description' | 'sha256'>,
  { demo, names }: Pick<PublisherCaller, 'demo'> & { readonly names?: PublishedNames },
): Promise<Repeated | undefined> => {
  const { uniqueName, replaces } = description;
  const known = names ?? (await findNamed(db, [description]));
  const named = uniqueName === undefined ? [] : (known.get(uniqueName) ?? []);
  const before = replaces === undefined ? named : await findPublished(db, { replaces });
  const same = before.filter(
    (published) => published.hasContent(sha256) && published.hasName(uniqueName ?? null) && published.isDemo === demo,
  );
  const repeated = same.find(({ document }) => document.state === 'ACTIVE') ?? same[0];
  if (repeated !== undefined) return { ...repeated.document, sha256, repeated: true };
  // The name may pass on to what replaces its latest version.
  const holder = named.find(({ isLatest }) => isLatest)?.document.id;
  const replaced = new Set([replaces, ...before.map(({ document }) => document.id)]);
  if (named.length > 0 && (replaces === undefined || (holder !== undefined && !replaced.has(holder))))
    throw new PortalError('RESOURCE_DUPLICATE', {
      fields: {
        uniqueName: named.some(({ isDemo }) => isDemo !== demo)
          ? 'published before, and only one of both was a demonstration'
          : 'published before with other bytes',
      },
    });
  return undefined;
};
