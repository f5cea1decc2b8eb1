import type { SavedView } from '@pergamin/contract';
import { lazy, memo, Suspense, useState } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import type { ListPlan, ListView } from './list-plan.ts';
import css from './SavedViews.module.css';
import { type ViewTask, viewTasks } from './view-task.ts';
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
        <TaskMenu
          icon="plus"
          name={t('views.add')}
          tasks={[
            { kind: 'saveView', content: view },
            { kind: 'createFolder', parentId: null },
          ]}
          onTask={setTask}
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
      {folders.map(({ folder, ...inside }) => {
        const closed = actions.isClosed(folder.id);
        return (
          <li key={folder.id}>
            <div className={css['row']}>
              <button type="button" aria-expanded={!closed} onClick={() => actions.onToggle(folder.id)}>
                <Icon name={closed ? 'caret-right' : 'folder-open'} size="s" />
                <span>{folder.name}</span>
              </button>
              <TaskMenu
                name={t('list.moreNamed', { name: folder.name })}
                tasks={[
                  { kind: 'renameFolder', folder },
                  { kind: 'moveFolder', folder },
                  { kind: 'createFolder', parentId: folder.id },
                  { kind: 'deleteFolder', folder },
                ]}
                onTask={actions.onTask}
              />
            </div>
            {!closed && <Nodes {...inside} {...actions} />}
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
              <TaskMenu
                name={t('list.moreNamed', { name: view.name })}
                tasks={(['overwriteView', 'renameView', 'moveView', 'deleteView'] as const).map((kind) => ({ kind, view }))}
                onTask={actions.onTask}
              />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

interface TaskMenuProps {
  readonly icon?: IconName;
  readonly name: string;
  readonly tasks: readonly ViewTask[];
  readonly onTask: (task: ViewTask) => void;
}

function TaskMenu({ icon = 'dots-three', name, tasks, onTask }: TaskMenuProps) {
  return (
    <MenuButton
      icon={icon}
      name={name}
      placement="bottom end"
      entries={tasks.flatMap(({ kind }) => {
        const entry = { id: kind, label: t(viewTasks[kind].name), icon: viewTasks[kind].icon };
        return kind.startsWith('delete') ? [{ separator: kind }, entry] : [entry];
      })}
      onAction={(id) => tasks.filter(({ kind }) => kind === id).forEach(onTask)}
    />
  );
}

/** Whether a view shows what is shown now; how wide the columns are does not make it another one. */
const sameView = (a: ListView, b: ListView): boolean => {
  const essence = ({ text, period, filters, sort, pageSize, columns }: ListView) =>
    JSON.stringify([text, period, filters, sort, pageSize, columns.filter(({ shown }) => !shown).map(({ key }) => key)]);
  return essence(a) === essence(b);
};
