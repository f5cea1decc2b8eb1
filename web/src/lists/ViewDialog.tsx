import { savedViewLimits, type ViewFolder } from '@pergamin/contract';
import { type FormEvent, useId, useState } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { Select, type SelectOption } from '#kit/forms/Select.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import css from './ViewDialog.module.css';
import type { ViewTask } from './view-task.ts';
import { type SavedViewStore, viewProblem } from './views.queries.ts';

interface ViewDialogProps {
  readonly task: ViewTask;
  readonly store: SavedViewStore;
  readonly onClose: () => void;
}

const top = '*';

/** Asks for a name, a folder or a confirmation, does it, and says what stood against it. */
export function ViewDialog({ task, store, onClose }: ViewDialogProps) {
  const formId = useId();
  const [name, setName] = useState(task.name ?? '');
  const [place, setPlace] = useState(task.place ?? top);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const asksName = task.name !== undefined;
  const asksPlace = task.place !== undefined;
  const isDelete = task.title === 'views.delete';

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (asksName && name.trim() === '') {
      setProblem(t('views.nameNeeded'));
      return;
    }
    setBusy(true);
    try {
      await store.refreshAfter(task.run({ name: name.trim(), place: place === top ? null : place }));
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
      title={t(task.title)}
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
            options={places(task, store.folders)}
            value={place}
            error={asksName ? undefined : problem}
            onChange={(id) => {
              setPlace(id);
              setProblem(undefined);
            }}
          />
        )}
        {task.question !== undefined && <p>{task.question}</p>}
        {problem !== undefined && !asksName && !asksPlace && <p role="alert">{problem}</p>}
      </form>
    </Dialog>
  );
}

/** Folders by their whole way, so that two of one name can be told apart; none that would then lie in itself. */
const places = ({ moved }: ViewTask, folders: readonly ViewFolder[]): readonly SelectOption[] => {
  const wayOf = (folder: ViewFolder): readonly ViewFolder[] => {
    const parent = folders.find(({ id }) => id === folder.parentId);
    return parent === undefined ? [folder] : [...wayOf(parent), folder];
  };
  const options = folders
    .map((folder) => ({ id: folder.id, way: wayOf(folder) }))
    .filter(({ way }) => !way.some(({ id }) => id === moved))
    .map(({ id, way }) => ({ id, label: way.map(({ name }) => name).join(' / ') }));
  return [{ id: top, label: t('views.noFolder') }, ...options];
};
