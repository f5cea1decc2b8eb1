import type { IconName } from '#kit/icons/icon-names.generated.ts';

export interface MenuItemEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName | undefined;
  /** A key that does the same, shown at the row's end. */
  readonly keys?: string | undefined;
  /** Why it cannot be chosen now: the entry stays reachable, and this is read as its second line. */
  readonly disabledReason?: string | undefined;
  readonly current?: boolean | undefined;
}
/** One row of a menu, or a hairline between two groups (with any text that is unique in the menu). */
export type MenuEntry = MenuItemEntry | { readonly separator: string };
