import type { IconName } from '#kit/icons/icon-names.generated.ts';

/** Something the bar lets one do: a button where there is room, an entry of the menu where there is not. */
export interface ViewerAction {
  readonly id: string;
  readonly icon: IconName;
  readonly name: string;
  /** Part of the name, seen beside the icon on a phone, where no tooltip tells what it is. */
  readonly word?: string;
  readonly onClick: () => void;
  /** Shown by the button as pressed: what it opens is open. */
  readonly isOn?: boolean;
  readonly disabledReason?: string | undefined;
  /** Stays a button in a narrow bar, or even in a phone's; it is in the menu then as well, unless it is always a button. */
  readonly staysIn?: 'narrow' | 'phone';
}
