import type { SavedView, ViewFolder } from '@pergamin/contract';
import { lazy, memo, Suspense, useState } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import type { ListPlan, ListView } from './list-plan.ts';
import css from './SavedViews.module.css';
import type { ViewTask } from './ViewDialog.tsx';
import { type FolderNode, treeOf, useSavedViews } from './views.queries.ts';

const ViewDialog = lazy(async () => ({ default: (await import('./ViewDialog.tsx')).ViewDialog }));

interface SavedViewsProps {
  readonly plan: ListPlan;
  readonly view: ListView;
  readonly onOpen: (view: ListView) => void;
}

/** The client's views of this list, in folders (E5): open one, keep the present one, rename, move, delete. */
export const SavedViews = memo(function SavedViews({ plan, view, onOpen }: SavedViewsProps) {
  const store = useSavedViews(plan.kind);
  const [task, setTask] = useState<ViewTask>();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const tree = treeOf(plan.kind, store);
  const nodes: NodeActions = {
    isCurrent: ({ content }) => sameView(content, view),
    isClosed: (id) => closed.has(id),
    onToggle: (id) => setClosed((ids) => (ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id]))),
    onOpen: (saved) => {
      onOpen(saved.content);
      announce(t('views.opened', { name: saved.name }));
    },
    onTask: setTask,
  };
  return (
    <section className={css['views']} aria-label={t('views.title')}>
      <header>
        <h3>{t('views.title')}</h3>
        <MenuButton
          icon="plus"
          name={t('views.add')}
          placement="bottom end"
          entries={[
            { id: 'save', label: t('views.saveCurrent'), icon: 'bookmark-simple' },
            { id: 'folder', label: t('views.newFolder'), icon: 'folder-open' },
          ]}
          onAction={(id) => setTask(id === 'save' ? { kind: 'saveView', content: view } : { kind: 'createFolder', parentId: null })}
        />
      </header>
      {store.failed && (
        <Button size="s" icon="arrow-clockwise" onClick={store.retry}>
          {t('error.tryAgain')}
        </Button>
      )}
      {!store.failed && tree.folders.length + tree.views.length === 0 && <p className={css['none']}>{t('views.none')}</p>}
      <Nodes folders={tree.folders} views={tree.views} {...nodes} />
      {task !== undefined && (
        <Suspense>
          <ViewDialog task={task} store={store} current={view} onClose={() => setTask(undefined)} />
        </Suspense>
      )}
    </section>
  );
});

interface NodeActions {
  readonly isCurrent: (view: SavedView) => boolean;
  readonly isClosed: (folderId: string) => boolean;
  readonly onToggle: (folderId: string) => void;
  readonly onOpen: (view: SavedView) => void;
  readonly onTask: (task: ViewTask) => void;
}

function Nodes({ folders, views, ...actions }: Pick<FolderNode, 'folders' | 'views'> & NodeActions) {
  if (folders.length + views.length === 0) return null;
  return (
    <ul className={css['tree']}>
      {folders.map((node) => {
        const closed = actions.isClosed(node.folder.id);
        return (
          <li key={node.folder.id}>
            <div className={css['row']}>
              <button type="button" aria-expanded={!closed} onClick={() => actions.onToggle(node.folder.id)}>
                <Icon name={closed ? 'caret-right' : 'folder-open'} size="s" />
                <span>{node.folder.name}</span>
              </button>
              <FolderMenu folder={node.folder} onTask={actions.onTask} />
            </div>
            {!closed && <Nodes folders={node.folders} views={node.views} {...actions} />}
          </li>
        );
      })}
      {views.map((view) => {
        const current = actions.isCurrent(view);
        return (
          <li key={view.id}>
            <div className={css['row']} data-current={current || undefined}>
              <button type="button" aria-current={current || undefined} onClick={() => actions.onOpen(view)}>
                <Icon name={current ? 'bookmark-simple-fill' : 'bookmark-simple'} size="s" />
                <span>{view.name}</span>
              </button>
              <ViewMenu view={view} onTask={actions.onTask} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function FolderMenu({ folder, onTask }: { readonly folder: ViewFolder; readonly onTask: (task: ViewTask) => void }) {
  const tasks: Record<string, ViewTask> = {
    rename: { kind: 'renameFolder', folder },
    move: { kind: 'moveFolder', folder },
    folder: { kind: 'createFolder', parentId: folder.id },
    delete: { kind: 'deleteFolder', folder },
  };
  return (
    <MenuButton
      icon="dots-three"
      name={t('list.moreNamed', { name: folder.name })}
      placement="bottom end"
      entries={[
        { id: 'rename', label: t('views.rename') },
        { id: 'move', label: t('views.move') },
        { id: 'folder', label: t('views.newFolder'), icon: 'folder-open' },
        { separator: 'delete' },
        { id: 'delete', label: t('views.delete'), icon: 'trash' },
      ]}
      onAction={(id) => {
        const task = tasks[id];
        if (task !== undefined) onTask(task);
      }}
    />
  );
}

function ViewMenu({ view, onTask }: { readonly view: SavedView; readonly onTask: (task: ViewTask) => void }) {
  const tasks: Record<string, ViewTask> = {
    overwrite: { kind: 'overwriteView', view },
    rename: { kind: 'renameView', view },
    move: { kind: 'moveView', view },
    delete: { kind: 'deleteView', view },
  };
  return (
    <MenuButton
      icon="dots-three"
      name={t('list.moreNamed', { name: view.name })}
      placement="bottom end"
      entries={[
        { id: 'overwrite', label: t('views.overwrite'), icon: 'bookmark-simple' },
        { id: 'rename', label: t('views.rename') },
        { id: 'move', label: t('views.move') },
        { separator: 'delete' },
        { id: 'delete', label: t('views.delete'), icon: 'trash' },
      ]}
      onAction={(id) => {
        const task = tasks[id];
        if (task !== undefined) onTask(task);
      }}
    />
  );
}

/** Whether a view shows what is shown now; how wide the columns are does not make it another one. */
const sameView = (a: ListView, b: ListView): boolean => {
  const essence = ({ text, period, filters, sort, pageSize, columns }: ListView) =>
    JSON.stringify([text, period, filters, sort, pageSize, columns.filter(({ shown }) => !shown).map(({ key }) => key)]);
  return essence(a) === essence(b);
};
