import { savedViewLimits, type ViewFolder } from '@pergamin/contract';
import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { Select, type SelectOption } from '#kit/forms/Select.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import type { ListView } from './list-plan.ts';
import css from './ViewDialog.module.css';
import { type ViewTask, viewTasks } from './view-task.ts';
import { type SavedViewStore, viewProblem } from './views.queries.ts';

interface ViewDialogProps {
  readonly task: ViewTask;
  readonly store: SavedViewStore;
  /** What the list shows now. */
  readonly current: ListView;
  readonly onClose: () => void;
}

const top = '*';

/** Asks for a name, a folder or a confirmation, does it, and says what stood against it. */
export function ViewDialog({ task, store, current, onClose }: ViewDialogProps) {
  const formId = useId();
  const subject = 'view' in task ? task.view : 'folder' in task ? task.folder : undefined;
  const [name, setName] = useState(subject?.name ?? '');
  const [place, setPlace] = useState(placeOf(task) ?? top);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const asksName = task.kind === 'saveView' || task.kind === 'createFolder' || task.kind.startsWith('rename');
  const asksPlace = task.kind === 'saveView' || task.kind === 'createFolder' || task.kind.startsWith('move');
  const isDelete = task.kind.startsWith('delete');

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (asksName && name.trim() === '') {
      setProblem(t('views.nameNeeded'));
      return;
    }
    setBusy(true);
    try {
      await run(task, store, { name: name.trim(), place: place === top ? null : place, current });
    } catch (error) {
      setBusy(false);
      setProblem(viewProblem(error, store));
      return;
    }
    announce(t('views.done'));
    onClose();
  };
  return (
    <Dialog
      title={t(viewTasks[task.kind].name)}
      onClose={onClose}
      width={400}
      foot={
        <>
          <Button onClick={onClose}>{t('views.cancel')}</Button>
          <Button kind={isDelete ? 'danger' : 'primary'} type="submit" form={formId} busy={busy}>
            {t(isDelete ? 'views.delete' : 'views.save')}
          </Button>
        </>
      }
    >
      <form id={formId} className={css['form']} onSubmit={(event) => void submit(event)}>
        {asksName && (
          <TextField
            label={t('views.name')}
            value={name}
            maxLength={savedViewLimits.nameMaxLength}
            autoComplete="off"
            // The dialog was opened to write it.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            error={problem}
            onChange={(event) => {
              setName(event.target.value);
              setProblem(undefined);
            }}
          />
        )}
        {asksPlace && (
          <Select
            label={t('views.folder')}
            options={places(task, store)}
            value={place}
            error={asksName ? undefined : problem}
            onChange={(id) => {
              setPlace(id);
              setProblem(undefined);
            }}
          />
        )}
        {isDelete && (
          <p>
            {t(task.kind === 'deleteFolder' ? 'views.deleteFolderQuestion' : 'views.deleteViewQuestion', { name: subject?.name ?? '' })}
          </p>
        )}
        {task.kind === 'overwriteView' && <p>{t('views.overwriteQuestion', { name: task.view.name })}</p>}
        {problem !== undefined && !asksName && !asksPlace && <p role="alert">{problem}</p>}
      </form>
    </Dialog>
  );
}

const placeOf = (task: ViewTask): string | null => {
  if ('view' in task) return task.view.folderId;
  if ('folder' in task) return task.folder.parentId;
  return task.kind === 'createFolder' ? task.parentId : null;
};

/** Folders by their whole way, so that two of one name can be told apart; none that would then lie in itself. */
const places = (task: ViewTask, { folders }: Pick<SavedViewStore, 'folders'>): readonly SelectOption[] => {
  const wayOf = (folder: ViewFolder): readonly ViewFolder[] => {
    const parent = folders.find(({ id }) => id === folder.parentId);
    return parent === undefined ? [folder] : [...wayOf(parent), folder];
  };
  const moved = task.kind === 'moveFolder' ? task.folder.id : undefined;
  const options = folders
    .map((folder) => ({ folder, way: wayOf(folder) }))
    .filter(({ way }) => !way.some(({ id }) => id === moved))
    .map(({ folder, way }) => ({ id: folder.id, label: way.map(({ name }) => name).join(' / ') }));
  return [{ id: top, label: t('views.noFolder') }, ...options];
};

interface Given {
  readonly name: string;
  readonly place: string | null;
  readonly current: ListView;
}

const run = async (task: ViewTask, store: SavedViewStore, { name, place, current }: Given): Promise<unknown> => {
  switch (task.kind) {
    case 'saveView':
      return store.createView(name, place, task.content);
    case 'overwriteView':
      return store.updateView(task.view.id, { content: current });
    case 'renameView':
      return store.updateView(task.view.id, { name });
    case 'moveView':
      return store.updateView(task.view.id, { folderId: place });
    case 'deleteView':
      return store.deleteView(task.view.id);
    case 'createFolder':
      return store.createFolder(name, place);
    case 'renameFolder':
      return store.updateFolder(task.folder.id, { name });
    case 'moveFolder':
      return store.updateFolder(task.folder.id, { parentId: place });
    default:
      return store.deleteFolder(task.folder.id);
  }
};
