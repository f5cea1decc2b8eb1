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
import { folderTasks, newTasks, type ViewTask, viewTasks } from './view-task.ts';
import { treeOf, useSavedViews, type ViewTree } from './views.queries.ts';

const ViewDialog = lazy(async () => ({ default: (await import('./ViewDialog.tsx')).ViewDialog }));

interface SavedViewsProps {
  readonly plan: ListPlan;
  readonly view: ListView;
  readonly onOpen: (view: ListView) => void;
}

/** The client's views of this list, in folders (E5): open one, keep the present one, rename, move, delete. */
export const SavedViews = memo(function SavedViews({ plan: { kind }, view, onOpen }: SavedViewsProps) {
  const store = useSavedViews();
  const [task, setTask] = useState<ViewTask>();
  const tree = treeOf({ ...store, kind });
  return (
    <section className={css['views']} aria-label={t('views.title')}>
      <header>
        <h3>{t('views.title')}</h3>
        <TaskMenu icon="plus" name={t('views.add')} tasks={newTasks(kind, view)} onTask={setTask} />
      </header>
      {store.failed && (
        <Button size="s" icon="arrow-clockwise" onClick={store.retry}>
          {t('error.tryAgain')}
        </Button>
      )}
      {!store.failed && tree.folders.length + tree.views.length === 0 && <p className={css['none']}>{t('views.none')}</p>}
      <Tree
        {...tree}
        current={view}
        onOpen={(saved) => {
          onOpen(saved.content);
          announce(t('views.opened', { name: saved.name }));
        }}
        onTask={setTask}
      />
      {task !== undefined && (
        <Suspense>
          <ViewDialog task={task} store={store} onClose={() => setTask(undefined)} />
        </Suspense>
      )}
    </section>
  );
});

interface TreeProps extends ViewTree {
  /** What the list shows now. */
  readonly current: ListView;
  readonly onOpen: (view: SavedView) => void;
  readonly onTask: (task: ViewTask) => void;
}

function Tree({ folders, views, ...actions }: TreeProps) {
  if (folders.length + views.length === 0) return null;
  return (
    <ul className={css['tree']}>
      {folders.map((inside) => (
        <Folder key={inside.folder.id} {...inside} {...actions} />
      ))}
      {views.map((view) => {
        const isCurrent = sameView(view.content, actions.current);
        return (
          <li key={view.id}>
            <div className={css['row']} data-current={isCurrent || undefined}>
              <button type="button" aria-current={isCurrent || undefined} onClick={() => actions.onOpen(view)}>
                <Icon name={isCurrent ? 'bookmark-simple-fill' : 'bookmark-simple'} size="s" />
                <span>{view.name}</span>
              </button>
              <TaskMenu name={t('list.moreNamed', { name: view.name })} tasks={viewTasks(view, actions.current)} onTask={actions.onTask} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Folder({ folder, ...inside }: TreeProps & ViewTree['folders'][number]) {
  const [closed, setClosed] = useState(false);
  return (
    <li>
      <div className={css['row']}>
        <button type="button" aria-expanded={!closed} onClick={() => setClosed(!closed)}>
          <Icon name={closed ? 'caret-right' : 'folder-open'} size="s" />
          <span>{folder.name}</span>
        </button>
        <TaskMenu name={t('list.moreNamed', { name: folder.name })} tasks={folderTasks(folder)} onTask={inside.onTask} />
      </div>
      {!closed && <Tree {...inside} />}
    </li>
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
      entries={tasks.flatMap(({ title, icon: sign }) => {
        const entry = { id: title, label: t(title), icon: sign };
        return title === 'views.delete' ? [{ separator: title }, entry] : [entry];
      })}
      onAction={(id) => tasks.filter(({ title }) => title === id).forEach(onTask)}
    />
  );
}

/** Whether a view shows what is shown now; how wide the columns are does not make it another one. */
const sameView = (a: ListView, b: ListView): boolean => {
  const essence = ({ text, period, filters, sort, pageSize, columns }: ListView) =>
    JSON.stringify([text, period, filters, sort, pageSize, columns.filter(({ shown }) => !shown).map(({ key }) => key)]);
  return essence(a) === essence(b);
};
