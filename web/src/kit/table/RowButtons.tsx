import { classes } from '#kit/styles/classes.ts';
import iconButton from '#kit/buttons/IconButton.module.css';
import css from './RowButtons.module.css';
import { RowIcon } from './RowIcon.tsx';
import type { RowAction } from './table-parts.ts';

interface RowButtonsProps {
  /** Begins the ids of the buttons. */
  readonly domId: string;
  readonly actions: readonly RowAction[];
  readonly onAction: (actionId: string) => void;
  readonly menuName: string;
  /** Gets the button below which the menu opens. Without it there is no such button. */
  readonly onMenu: ((button: HTMLElement) => void) | undefined;
}

/** The id of the button that opens the row's menu, which names the menu. */
export const menuButtonIdOf = (domId: string): string => `${domId}-menu`;

/** The buttons at the end of a row. Their tooltips are shown by the table. */
export function RowButtons({ domId, actions, onAction, menuName, onMenu }: RowButtonsProps) {
  return (
    <>
      {actions.map(({ id, icon, name, label, worded = false, disabledReason }) => {
        const reasonId = `${domId}-${id}-reason`;
        const isBlocked = disabledReason !== undefined;
        return (
          <button
            key={id}
            type="button"
            className={classes(buttonClass, worded && css['with-word'])}
            aria-label={name}
            aria-disabled={isBlocked || undefined}
            aria-describedby={isBlocked ? reasonId : undefined}
            data-tip={disabledReason}
            onClick={() => {
              if (!isBlocked) onAction(id);
            }}
          >
            <RowIcon name={icon} />
            {worded && (
              <span className={css['worded']} aria-hidden="true">
                {label}
              </span>
            )}
            {isBlocked && (
              <span id={reasonId} hidden>
                {disabledReason}
              </span>
            )}
          </button>
        );
      })}
      {onMenu !== undefined && (
        <button
          type="button"
          id={menuButtonIdOf(domId)}
          className={buttonClass}
          aria-label={menuName}
          aria-haspopup="menu"
          onClick={(event) => onMenu(event.currentTarget)}
        >
          <RowIcon name="dots-three-vertical" />
        </button>
      )}
    </>
  );
}

const buttonClass = classes(iconButton['button'], iconButton['size-m'], css['button']);
