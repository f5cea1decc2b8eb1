import { useId, useState } from 'react';
import { useLatest } from '#kit/useLatest.ts';
import { useNarrow } from '#kit/useNarrow.ts';
import { usePhone } from '#kit/usePhone.ts';

export interface FiltersDrawer {
  /** Of the drawer, for the buttons that open it. */
  readonly id: string;
  readonly phone: boolean;
  readonly isOpen: boolean;
  /** It has been open: before that nobody needs what is in it. */
  readonly isUsed: boolean;
  /** It takes the place of the rows. */
  readonly isWhole: boolean;
  /** The rows have less room than they would like while it is open. */
  readonly isSmall: boolean;
  readonly toggle: () => void;
  /** Gives the rows their place back, if it took it. */
  readonly makeRoom: () => void;
  /** For the list that it belongs to, whose width decides. */
  readonly setList: (list: HTMLElement | null) => void;
}

/** With less room than this the filters take the place of the rows. */
const besideRowsFromPx = 720;

/** The filters of a list: open at first where there is `openFromPx` of room, unless they are `closedFirst`. */
export function useFiltersDrawer({ openFromPx, closedFirst = false }: { openFromPx: number; closedFirst?: boolean }): FiltersDrawer {
  const phone = usePhone();
  const id = useId();
  const [list, setList] = useState<HTMLElement | null>(null);
  const isWhole = useNarrow(list, besideRowsFromPx) || phone;
  const isSmall = useNarrow(list, openFromPx) || phone;
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? (list !== null && !isSmall && !closedFirst);
  const [isUsed, setUsed] = useState(isOpen);
  if (isOpen && !isUsed) setUsed(true);
  const toggle = useLatest(() => setChosen(!isOpen));
  const makeRoom = useLatest(() => {
    if (isWhole) setChosen(false);
  });
  return { id, phone, isOpen, isUsed, isWhole, isSmall, toggle, makeRoom, setList };
}
