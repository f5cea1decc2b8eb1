import { type RefObject, useId } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Select } from '#kit/forms/Select.tsx';
import { focusNeighbour } from '#kit/hooks/focus-neighbour.ts';
import { t } from '#platform/language.ts';
import { sizeText } from '#platform/numbers.ts';
import css from './AttachmentFields.module.css';
import type { OfferedCategory } from './sending.queries.ts';
import type { Attachment, Sending } from './sending.store.ts';

interface AttachmentFieldsProps {
  readonly sending: Sending;
  readonly attachment: Attachment;
  readonly categories: readonly OfferedCategory[];
  /** What is missing is said at its place. */
  readonly isPointedOut: boolean;
  /** Takes the focus when the last file goes. */
  readonly addButton: RefObject<HTMLButtonElement | null>;
  /** Undefined where the others have the same already. */
  readonly onApplyToAll: (() => void) | undefined;
}

/** One file with its category, and the type that belongs to it. */
export function AttachmentFields({ sending, attachment, categories, isPointedOut, addButton, onApplyToAll }: AttachmentFieldsProps) {
  const { key, file, categoryId, typeId } = attachment;
  const nameId = useId();
  const types = categories.find(({ id }) => id === categoryId)?.types ?? [];
  return (
    <li data-attachment={key}>
      <div className={css['file']} role="group" aria-labelledby={nameId}>
        <p className={css['head']}>
          <Icon name="file-text" />
          <b id={nameId} title={file.name}>
            {file.name}
          </b>
          <span className={css['size']}>{sizeText(file.size)}</span>
          <IconButton
            icon="trash"
            name={t('sending.removeFile', { name: file.name })}
            data-remove=""
            onClick={({ currentTarget }) => {
              focusNeighbour(currentTarget, addButton.current);
              sending.remove(key);
            }}
          />
        </p>
        <div className={css['picks']}>
          <div data-pick="">
            <Select
              label={t('sending.category')}
              placeholder={t('sending.choose')}
              options={categories}
              value={categoryId}
              error={isPointedOut && categoryId === undefined ? t('sending.selectCategory') : undefined}
              onChange={(id) => sending.chooseCategory(key, id)}
            />
          </div>
          <div data-pick="">
            <Select
              label={t('sending.type')}
              placeholder={t('sending.choose')}
              options={types}
              value={typeId}
              disabled={categoryId === undefined}
              error={isPointedOut && categoryId !== undefined && typeId === undefined ? t('sending.selectType') : undefined}
              onChange={(id) => sending.chooseType(key, id)}
            />
          </div>
        </div>
        {onApplyToAll !== undefined && (
          <Button size="s" kind="quiet" aria-describedby={nameId} onClick={onApplyToAll}>
            {t('sending.sameForAll')}
          </Button>
        )}
      </div>
    </li>
  );
}
