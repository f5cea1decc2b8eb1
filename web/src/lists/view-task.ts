import {
  type BodyOf,
  createSavedView,
  createViewFolder,
  deleteSavedView,
  deleteViewFolder,
  type SavedView,
  type SavedViewKind,
  updateSavedView,
  updateViewFolder,
  type ViewFolder,
} from '@pergamin/contract';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { call } from '#platform/api.ts';
import { t, type TranslationKey } from '#platform/language.ts';
import type { ListView } from './list-plan.ts';

/** Something that is done to a saved view or a folder, and what its dialog asks for. */
export interface ViewTask {
  /** Of the dialog, and of the entry of a menu. */
  readonly title: TranslationKey;
  readonly icon?: IconName;
  /** Asked for, beginning with this. */
  readonly name?: string;
  /** The folder is asked for, beginning with this one; null is none. */
  readonly place?: string | null;
  /** A folder that is moved, and cannot lie in itself. */
  readonly moved?: string;
  /** To be confirmed. */
  readonly question?: string;
  readonly run: (given: { readonly name: string; readonly place: string | null }) => Promise<unknown>;
}

export const newTasks = (kind: SavedViewKind, content: ListView): readonly ViewTask[] => [
  {
    title: 'views.saveCurrent',
    icon: 'bookmark-simple',
    name: '',
    place: null,
    run: ({ name, place }) => call(createSavedView, { body: { name, folderId: place, kind, content } }),
  },
  newFolder(null),
];

export const viewTasks = ({ id, name, folderId }: SavedView, current: ListView): readonly ViewTask[] => {
  const update = (body: BodyOf<typeof updateSavedView>) => call(updateSavedView, { params: { id }, body });
  return [
    {
      title: 'views.overwrite',
      icon: 'bookmark-simple',
      question: t('views.overwriteQuestion', { name }),
      run: () => update({ content: current }),
    },
    { title: 'views.rename', name, run: (given) => update({ name: given.name }) },
    { title: 'views.move', place: folderId, run: ({ place }) => update({ folderId: place }) },
    {
      title: 'views.delete',
      icon: 'trash',
      question: t('views.deleteViewQuestion', { name }),
      run: () => call(deleteSavedView, { params: { id } }),
    },
  ];
};

export const folderTasks = ({ id, name, parentId }: ViewFolder): readonly ViewTask[] => {
  const update = (body: BodyOf<typeof updateViewFolder>) => call(updateViewFolder, { params: { id }, body });
  return [
    { title: 'views.rename', name, run: (given) => update({ name: given.name }) },
    { title: 'views.move', place: parentId, moved: id, run: ({ place }) => update({ parentId: place }) },
    newFolder(id),
    {
      title: 'views.delete',
      icon: 'trash',
      question: t('views.deleteFolderQuestion', { name }),
      run: () => call(deleteViewFolder, { params: { id } }),
    },
  ];
};

const newFolder = (parentId: string | null): ViewTask => ({
  title: 'views.newFolder',
  icon: 'folder-open',
  name: '',
  place: parentId,
  run: ({ name, place }) => call(createViewFolder, { body: { name, parentId: place } }),
});
