import {
  createSavedView,
  createViewFolder,
  deleteSavedView,
  deleteViewFolder,
  listSavedViews,
  type SavedView,
  type SavedViewKind,
  savedViewLimits,
  updateSavedView,
  updateViewFolder,
  type ViewFolder,
} from '@pergamin/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call, CallError } from '#platform/api.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import type { ListView } from './list-plan.ts';

export interface FolderNode {
  readonly folder: ViewFolder;
  readonly folders: readonly FolderNode[];
  readonly views: readonly SavedView[];
}

/** Folders and views of one list. A folder that holds nothing but views of other lists is theirs. */
export const treeOf = (
  kind: SavedViewKind,
  { folders, items }: { readonly folders: readonly ViewFolder[]; readonly items: readonly SavedView[] },
): Pick<FolderNode, 'folders' | 'views'> => {
  const inside = (parentId: string | null): FolderNode[] =>
    folders
      .filter((folder) => folder.parentId === parentId)
      .map((folder) => ({
        folder,
        folders: inside(folder.id),
        views: items.filter((view) => view.folderId === folder.id && view.kind === kind),
      }))
      .filter(({ folder, folders: inner, views }) => views.length + inner.length > 0 || !items.some((view) => view.folderId === folder.id));
  return { folders: inside(null), views: items.filter((view) => view.kind === kind && view.folderId === null) };
};

export interface SavedViewStore {
  readonly folders: readonly ViewFolder[];
  readonly items: readonly SavedView[];
  readonly failed: boolean;
  readonly retry: () => void;
  readonly createView: (name: string, folderId: string | null, content: ListView) => Promise<SavedView>;
  readonly updateView: (id: string, part: { name?: string; folderId?: string | null; content?: ListView }) => Promise<SavedView>;
  readonly deleteView: (id: string) => Promise<void>;
  readonly createFolder: (name: string, parentId: string | null) => Promise<ViewFolder>;
  readonly updateFolder: (id: string, part: { name?: string; parentId?: string | null }) => Promise<ViewFolder>;
  readonly deleteFolder: (id: string) => Promise<void>;
}

/** The client's saved views (E5). Each change asks for all of them again, and throws CallError. */
export function useSavedViews(kind: SavedViewKind): SavedViewStore {
  const queries = useQueryClient();
  const { data, isError, refetch } = useQuery({
    queryKey: [listSavedViews.name],
    queryFn: ({ signal }) => call(listSavedViews, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const change = async <Result>(made: Promise<Result>): Promise<Result> => {
    const result = await made;
    await queries.invalidateQueries({ queryKey: [listSavedViews.name] });
    return result;
  };
  return {
    folders: data?.folders ?? [],
    items: data?.items ?? [],
    failed: isError,
    retry: () => void refetch(),
    createView: (name, folderId, content) => change(call(createSavedView, { body: { name, folderId, kind, content } })),
    updateView: (id, body) => change(call(updateSavedView, { params: { id }, body })),
    deleteView: (id) => change(call(deleteSavedView, { params: { id } })),
    createFolder: (name, parentId) => change(call(createViewFolder, { body: { name, parentId } })),
    updateFolder: (id, body) => change(call(updateViewFolder, { params: { id }, body })),
    deleteFolder: (id) => change(call(deleteViewFolder, { params: { id } })),
  };
}

/** Why a view or a folder could not be kept, in words that say what to do. */
export const viewProblem = (error: unknown, { items, folders }: Pick<SavedViewStore, 'items' | 'folders'>): string => {
  if (!(error instanceof CallError)) return sentenceOf(error);
  if (error.code === 'RESOURCE_DUPLICATE') return t('views.nameTaken');
  if (error.code === 'VALIDATION_ERROR' && error.fields?.['parentId'] !== undefined)
    return t('views.tooDeep', { count: savedViewLimits.maxDepth });
  if (error.code === 'VALIDATION_ERROR' && items.length >= savedViewLimits.maxViews)
    return t('views.tooMany', { count: savedViewLimits.maxViews });
  if (error.code === 'VALIDATION_ERROR' && folders.length >= savedViewLimits.maxFolders)
    return t('views.tooManyFolders', { count: savedViewLimits.maxFolders });
  return sentenceOf(error);
};
