import { randomUUID } from 'node:crypto';
import { type AnswerOf, type BodyOf, type calls, type SavedView, savedViewLimits, type ViewFolder } from '@pergamin/contract';
import type { Selectable } from 'kysely';
import type { Metadata, MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import type { Database, Db, Trx } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { assertPlace } from './folder-tree.ts';
import * as store from './saved-views.store.ts';
import { assertContent, withoutGoneKeys } from './view-content.ts';

interface Parts {
  readonly db: Db;
  readonly metadata: Pick<Metadata, 'definitions'>;
}

type Owner = Pick<ClientCaller, 'personalId'>;

/**
 * The views of one client. Every method throws RESOURCE_NOT_FOUND for views of others, VALIDATION_ERROR beyond the bounds of
 * `savedViewLimits` and RESOURCE_DUPLICATE for a name that its folder has already, without regard to case.
 */
export interface SavedViews {
  list(owner: Owner): Promise<AnswerOf<typeof calls.listSavedViews>>;
  create(owner: Owner, body: BodyOf<typeof calls.createSavedView>): Promise<SavedView>;
  update(owner: Owner, id: string, body: BodyOf<typeof calls.updateSavedView>): Promise<SavedView>;
  remove(owner: Owner, id: string): Promise<void>;
  createFolder(owner: Owner, body: BodyOf<typeof calls.createViewFolder>): Promise<ViewFolder>;
  updateFolder(owner: Owner, id: string, body: BodyOf<typeof calls.updateViewFolder>): Promise<ViewFolder>;
  removeFolder(owner: Owner, id: string): Promise<void>;
}

const byName = new Intl.Collator('pl', { numeric: true });

const shownFolder = ({ id, parent_id: parentId, name }: Selectable<Database['saved_view_folder']>): ViewFolder => ({ id, parentId, name });

const shownView = (definitions: MetadataDefinitions, view: Selectable<Database['saved_view']>): SavedView => ({
  id: view.id,
  folderId: view.folder_id,
  name: view.name,
  kind: view.kind,
  content: withoutGoneKeys(definitions, view.content),
});

const isNameTaken = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === '23505' &&
  'constraint' in error &&
  String(error.constraint).endsWith('_name');

/** Changes of one client are serialised, so that their limits hold. */
const change = async <Result>(db: Db, { personalId }: Owner, make: (trx: Trx) => Promise<Result>): Promise<Result> => {
  try {
    return await db.transaction().execute(async (trx) => {
      await store.lockOwner(trx, personalId);
      return make(trx);
    });
  } catch (error) {
    if (isNameTaken(error)) throw new PortalError('RESOURCE_DUPLICATE', { fields: { name: 'is there already' }, cause: error });
    throw error;
  }
};

const requireFolder = (folders: readonly { id: string }[], id: string | null): void => {
  if (id !== null && !folders.some((folder) => folder.id === id)) throw new PortalError('RESOURCE_NOT_FOUND');
};

const sorted = <Named extends { name: string }>(named: readonly Named[]): Named[] =>
  named.toSorted((a, b) => byName.compare(a.name, b.name));

const createViews = ({ db, metadata }: Parts): Pick<SavedViews, 'list' | 'create' | 'update' | 'remove'> => ({
  async list({ personalId }) {
    const definitions = await metadata.definitions();
    const [folders, views] = await Promise.all([store.listFolders(db, personalId), store.listViews(db, personalId)]);
    return { folders: sorted(folders).map(shownFolder), items: sorted(views).map((view) => shownView(definitions, view)) };
  },

  async create(owner, { folderId, name, kind, content }) {
    assertContent(await metadata.definitions(), content);
    return change(db, owner, async (trx) => {
      requireFolder(await store.listFolders(trx, owner.personalId), folderId);
      if ((await store.countViews(trx, owner.personalId)) >= savedViewLimits.maxViews)
        throw invalidField('name', `there are ${savedViewLimits.maxViews} views already`);
      const id = randomUUID();
      await store.insertView(trx, { personal_id: owner.personalId, id, folder_id: folderId, name, kind, content });
      return { id, folderId, name, kind, content };
    });
  },

  async update(owner, id, { folderId, name, content }) {
    const definitions = await metadata.definitions();
    if (content !== undefined) assertContent(definitions, content);
    return change(db, owner, async (trx) => {
      requireFolder(await store.listFolders(trx, owner.personalId), folderId ?? null);
      const view = await store.updateView(trx, { personalId: owner.personalId, id }, { folder_id: folderId, name, content });
      if (view === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
      return shownView(definitions, view);
    });
  },

  async remove({ personalId }, id) {
    if (!(await store.deleteView(db, { personalId, id }))) throw new PortalError('RESOURCE_NOT_FOUND');
  },
});

const createFolders = ({ db }: Parts): Pick<SavedViews, 'createFolder' | 'updateFolder' | 'removeFolder'> => ({
  createFolder: (owner, { parentId, name }) =>
    change(db, owner, async (trx) => {
      const folders = await store.listFolders(trx, owner.personalId);
      requireFolder(folders, parentId);
      assertPlace(folders, { id: undefined, parentId });
      if (folders.length >= savedViewLimits.maxFolders)
        throw invalidField('name', `there are ${savedViewLimits.maxFolders} folders already`);
      const id = randomUUID();
      await store.insertFolder(trx, { personal_id: owner.personalId, id, parent_id: parentId, name });
      return { id, parentId, name };
    }),

  updateFolder: (owner, id, { parentId, name }) =>
    change(db, owner, async (trx) => {
      if (parentId !== undefined) {
        const folders = await store.listFolders(trx, owner.personalId);
        requireFolder(folders, parentId);
        assertPlace(folders, { id, parentId });
      }
      const folder = await store.updateFolder(trx, { personalId: owner.personalId, id }, { parent_id: parentId, name });
      if (folder === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
      return shownFolder(folder);
    }),

  async removeFolder({ personalId }, id) {
    if (!(await store.deleteFolder(db, { personalId, id }))) throw new PortalError('RESOURCE_NOT_FOUND');
  },
});

export const createSavedViewService = (parts: Parts): SavedViews => ({ ...createViews(parts), ...createFolders(parts) });
