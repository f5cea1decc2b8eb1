import { type AnswerOf, listSavedViews, type SavedView, type SavedViewKind, savedViewLimits, type ViewFolder } from '@pergamin/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError } from '#platform/api.ts';
import { lastingCallQuery } from '#platform/call.queries.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';

type Kept = AnswerOf<typeof listSavedViews>;

export interface ViewTree {
  readonly folders: readonly (ViewTree & { readonly folder: ViewFolder })[];
  readonly views: readonly SavedView[];
}

/** Folders and views of one list. A folder that holds nothing but views of other lists is theirs. */
export const treeOf = (kept: Kept & { readonly kind: SavedViewKind }, inside: string | null = null): ViewTree => ({
  folders: kept.folders
    .filter(({ parentId }) => parentId === inside)
    .map((folder) => ({ folder, ...treeOf(kept, folder.id) }))
    .filter(
      ({ folder, folders, views }) => views.length + folders.length > 0 || !kept.items.some(({ folderId }) => folderId === folder.id),
    ),
  views: kept.items.filter(({ kind, folderId }) => kind === kept.kind && folderId === inside),
});

export type SavedViewStore = ReturnType<typeof useSavedViews>;

/** The client's saved views (E5). */
export function useSavedViews() {
  const queries = useQueryClient();
  const { data, isError, refetch } = useQuery(lastingCallQuery(listSavedViews, {}));
  return {
    folders: data?.folders ?? [],
    items: data?.items ?? [],
    failed: isError,
    retry: () => void refetch(),
    /** Asks for all of them again once this is done. */
    refreshAfter: async (change: Promise<unknown>): Promise<void> => {
      await change;
      await queries.invalidateQueries({ queryKey: [listSavedViews.name] });
    },
  };
}

/** Why a view or a folder could not be kept, in words that say what to do. */
export const viewProblem = (error: unknown, { items, folders }: Kept): string => {
  if (!(error instanceof CallError)) return sentenceOf(error);
  if (error.code === 'RESOURCE_DUPLICATE') return t('views.nameTaken');
  if (error.code !== 'VALIDATION_ERROR') return sentenceOf(error);
  if (error.fields?.['parentId'] !== undefined) return t('views.tooDeep', { count: savedViewLimits.maxDepth });
  if (items.length >= savedViewLimits.maxViews) return t('views.tooMany', { count: savedViewLimits.maxViews });
  if (folders.length >= savedViewLimits.maxFolders) return t('views.tooManyFolders', { count: savedViewLimits.maxFolders });
  return sentenceOf(error);
};
