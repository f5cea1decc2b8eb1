import { savedViewLimits } from '@pergamin/contract';
import { invalidField } from '#platform/http/errors.ts';

interface Folder {
  readonly id: string;
  readonly parent_id: string | null;
}

const depthOf = (folders: readonly Folder[], id: string | null): number => {
  const parent = folders.find((folder) => folder.id === id);
  return parent === undefined ? 0 : 1 + depthOf(folders, parent.parent_id);
};

/** With itself. */
const heightOf = (folders: readonly Folder[], id: string): number =>
  1 + Math.max(0, ...folders.filter((folder) => folder.parent_id === id).map((folder) => heightOf(folders, folder.id)));

const isWithin = (folders: readonly Folder[], { inner, outer }: { inner: string | null; outer: string }): boolean =>
  inner !== null &&
  (inner === outer || isWithin(folders, { inner: folders.find((folder) => folder.id === inner)?.parent_id ?? null, outer }));

/** Throws VALIDATION_ERROR when a folder (undefined: a new one) would contain itself, or be too deep with its contents. */
export const assertPlace = (folders: readonly Folder[], { id, parentId }: { id: string | undefined; parentId: string | null }): void => {
  if (id !== undefined && isWithin(folders, { inner: parentId, outer: id })) throw invalidField('parentId', 'lies in the folder itself');
  const height = id === undefined ? 1 : heightOf(folders, id);
  if (depthOf(folders, parentId) + height > savedViewLimits.maxDepth)
    throw invalidField('parentId', `folders lie in one another at most ${savedViewLimits.maxDepth} deep`);
};
