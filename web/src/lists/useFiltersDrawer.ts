import { useId, useState } from 'react';
import { useNarrow, useShortOf } from '#kit/layout/useNarrow.ts';
import { usePhone } from '#kit/layout/usePhone.ts';

export type FiltersDrawer = ReturnType<typeof useFiltersDrawer>;

export const drawerPx = 272;

/** With less room than this the rows are a list as on a phone. */
const tableFromPx = 600;

/** With less room than this the filters take the place of the rows. */
const besideRowsFromPx = tableFromPx + drawerPx;

interface DrawerRoom {
  /** The filters are open at first where there is as much. */
  readonly openFromPx: number;
  /** What the rows can use. */
  readonly wideFromPx?: number;
  /** What they need with all columns, without the one that leaves first, and so on. */
  readonly fitsFromPx?: readonly number[];
  readonly closedFirst?: boolean;
}

/** The filters of a list, and what room they leave to its rows. */
export function useFiltersDrawer({ openFromPx, wideFromPx = 0, fitsFromPx = [], closedFirst = false }: DrawerRoom) {
  const onPhone = usePhone();
  const id = useId();
  const [list, setList] = useState<HTMLElement | null>(null);
  const isNarrow = useNarrow(list, tableFromPx);
  const phone = onPhone || isNarrow;
  const isWhole = useNarrow(list, besideRowsFromPx) || phone;
  const isSmall = useNarrow(list, openFromPx) || phone;
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? (list !== null && !isSmall && !closedFirst);
  const [isUsed, setUsed] = useState(isOpen);
  if (isOpen && !isUsed) setUsed(true);
  const beside = isOpen ? drawerPx : 0;
  const fits = fitsFromPx.map((px) => px + beside);
  return {
    /** Of the drawer, for the buttons that open it. */
    id,
    /** The room of the list is known: before that nothing of it is rendered, as most of it would be rendered again. */
    isMeasured: list !== null,
    /** The list is laid out as on a phone: it is on one, or in a window as narrow. */
    phone,
    isOpen,
    /** It has been open: before that its content is not rendered. */
    isUsed,
    /** It takes the place of the rows. */
    isWhole,
    /** The rows have as much room as they can use. */
    isWide: !useNarrow(list, wideFromPx + beside),
    /** How many of `fitsFromPx` the room of the rows falls short of. */
    lacking: useShortOf(list, fits),
    toggle: () => setChosen(!isOpen),
    /** Gives the rows their place back, if it took it. */
    makeRoom: () => isWhole && setChosen(false),
    /** For the list that it belongs to, whose width decides. */
    setList,
  };
}
