import { memo } from 'react';
import type { ChangeEvent, ReactElement } from 'react';
import check from './Checkbox.module.css';
import { classes } from './classes.ts';
import css from './DataTable.module.css';
import { Icon } from './Icon.tsx';
import type { IconName } from './icon-names.ts';
import iconButton from './IconButton.module.css';
import buttons from './RowButtons.module.css';
import { roles } from './table-roles.ts';
import type { RowAction } from './table-parts.ts';

/*
 * The controls of a row are the same from page to page: they borrow the name of their document from the element that shows it, so that nothing
 * of them is written anew for another one.
 */

export const titleIdOf = (slotId: string): string => `${slotId}-title`;
const menuIdOf = (slotId: string): string => `${slotId}-menu`;

/** `Show:` of `Show: Agreement`, where the row's title says the rest. */
interface RowName {
  readonly label: string;
  readonly isBorrowed: boolean;
}

const nameIn = (name: string, title: string): RowName => {
  const isBorrowed = title !== '' && name.length > title.length + 1 && name.endsWith(` ${title}`);
  return { label: isBorrowed ? name.slice(0, -title.length - 1) : name, isBorrowed };
};

/** What names the element: itself and the title. */
const namedBy = (id: string, { slotId, isBorrowed }: { slotId: string; isBorrowed: boolean }) =>
  isBorrowed ? `${id} ${titleIdOf(slotId)}` : undefined;

/** By which elements the menu of a row is named, as its button is. */
export const menuNamedBy = (slotId: string, { name, title }: { readonly name: string; readonly title: string }): string =>
  namedBy(menuIdOf(slotId), { slotId, ...nameIn(name, title) }) ?? menuIdOf(slotId);

interface RowPickProps extends RowName {
  readonly slotId: string;
  readonly checked: boolean;
  readonly onPick: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** What of a document its box needs: nothing that differs from page to page. */
export const pickOf = ({
  slotId,
  name,
  title,
}: {
  readonly slotId: string;
  readonly name: string;
  readonly title: string;
}): Pick<RowPickProps, 'slotId' | keyof RowName> => ({ slotId, ...nameIn(name, title) });

export const RowPick = memo(function RowPick({ slotId, label, isBorrowed, checked, onPick }: RowPickProps): ReactElement {
  const id = `${slotId}-pick`;
  return (
    <td {...roles.cell} className={css['pick']}>
      <label className={check['check']}>
        <input
          type="checkbox"
          id={id}
          aria-label={label}
          aria-labelledby={namedBy(id, { slotId, isBorrowed })}
          checked={checked}
          onChange={onPick}
        />
      </label>
    </td>
  );
});

interface RowButtonsProps {
  readonly slotId: string;
  readonly title: string;
  readonly actions: readonly RowAction[];
  /** The name of the button that opens the row's menu. */
  readonly more: string | undefined;
}

function PlainRowButtons({ slotId, title, actions, more }: RowButtonsProps): ReactElement {
  return (
    <td {...roles.cell} className={css['acts']}>
      {actions.map(({ id: actionId, icon, name, label, worded, disabledReason }) => {
        const id = `${slotId}-${actionId}`;
        const own = nameIn(name, title);
        const blocked = disabledReason !== undefined;
        return (
          <button
            key={actionId}
            type="button"
            id={id}
            className={worded === true ? wordClass : buttonClass}
            aria-label={own.label}
            aria-labelledby={namedBy(id, { slotId, ...own })}
            aria-disabled={blocked || undefined}
            aria-describedby={blocked ? `${id}-reason` : undefined}
            data-tip={disabledReason ?? ''}
            data-act={actionId}
          >
            {iconOf(icon)}
            {worded === true && (
              <span className={buttons['worded']} aria-hidden="true">
                {label}
              </span>
            )}
            {blocked && (
              <span id={`${id}-reason`} hidden>
                {disabledReason}
              </span>
            )}
          </button>
        );
      })}
      {more !== undefined && <MenuOpener slotId={slotId} {...nameIn(more, title)} />}
    </td>
  );
}

function MenuOpener({ slotId, label, isBorrowed }: RowName & { readonly slotId: string }): ReactElement {
  const id = menuIdOf(slotId);
  return (
    <button
      type="button"
      id={id}
      className={buttonClass}
      aria-label={label}
      aria-labelledby={namedBy(id, { slotId, isBorrowed })}
      aria-haspopup="menu"
      data-tip=""
      data-menu=""
    >
      {iconOf('dots-three-vertical')}
    </button>
  );
}

/** Whether two names are written the same, each for its own document. */
const isSameName = (one: { name: string; title: string }, other: { name: string; title: string }): boolean => {
  const [a, b] = [nameIn(one.name, one.title), nameIn(other.name, other.title)];
  return a.label === b.label && a.isBorrowed === b.isBorrowed;
};

const areSame = (before: RowButtonsProps, next: RowButtonsProps): boolean =>
  before.slotId === next.slotId &&
  before.actions.length === next.actions.length &&
  (before.more === undefined || next.more === undefined
    ? before.more === next.more
    : isSameName({ name: before.more, title: before.title }, { name: next.more, title: next.title })) &&
  before.actions.every((action, index) => {
    const other = next.actions[index];
    return (
      other !== undefined &&
      action.id === other.id &&
      action.icon === other.icon &&
      action.label === other.label &&
      action.worded === other.worded &&
      action.disabledReason === other.disabledReason &&
      isSameName({ name: action.name, title: before.title }, { name: other.name, title: next.title })
    );
  });

export const RowButtons = memo(PlainRowButtons, areSame);

const buttonClass = classes(iconButton['button'], iconButton['size-m'], buttons['button']);
const wordClass = classes(buttonClass, buttons['with-word']);

const icons = new Map<IconName, ReactElement>();

/** The same element each time: React need not look into what never changes. */
const iconOf = (name: IconName): ReactElement => {
  const icon = icons.get(name) ?? <Icon name={name} size="m" />;
  icons.set(name, icon);
  return icon;
};
