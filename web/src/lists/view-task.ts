import type { SavedView, ViewFolder } from '@pergamin/contract';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { TranslationKey } from '#platform/language.ts';
import type { ListView } from './list-plan.ts';

/** What is being done to a saved view or a folder. */
export type ViewTask =
  | { readonly kind: 'saveView'; readonly content: ListView }
  | { readonly kind: 'overwriteView' | 'renameView' | 'moveView' | 'deleteView'; readonly view: SavedView }
  | { readonly kind: 'createFolder'; readonly parentId: string | null }
  | { readonly kind: 'renameFolder' | 'moveFolder' | 'deleteFolder'; readonly folder: ViewFolder };

const rename = { name: 'views.rename' } as const;
const move = { name: 'views.move' } as const;
const remove = { name: 'views.delete', icon: 'trash' } as const;

/** What each is called, as an entry of a menu and as the dialog that asks for the rest. */
export const viewTasks: Record<ViewTask['kind'], { readonly name: TranslationKey; readonly icon?: IconName }> = {
  saveView: { name: 'views.saveCurrent', icon: 'bookmark-simple' },
  overwriteView: { name: 'views.overwrite', icon: 'bookmark-simple' },
  renameView: rename,
  moveView: move,
  deleteView: remove,
  createFolder: { name: 'views.newFolder', icon: 'folder-open' },
  renameFolder: rename,
  moveFolder: move,
  deleteFolder: remove,
};
