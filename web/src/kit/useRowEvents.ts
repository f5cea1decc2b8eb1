import { useState } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { isPlainClick } from './row-click.ts';

/** Where a row's menu is open. */
export interface OpenRowMenu {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

interface RowEventsOptions {
  /** Of the rows, in their order. */
  readonly ids: readonly string[];
  readonly withMenu: boolean;
  readonly onOpen: (id: string) => void;
  readonly onAction: (id: string, actionId: string) => void;
}

/** What a table does for all its rows: their names and buttons, double clicks, the context menu, arrow keys from title to title. */
export function useRowEvents({ ids, withMenu, onOpen, onAction }: RowEventsOptions) {
  const [menu, setMenu] = useState<OpenRowMenu>();
  const rowIdOf = (target: EventTarget): string | undefined => {
    const index = rowIndexOf(target);
    return index === undefined ? undefined : ids[index];
  };
  const openMenuBelow = (id: string, element: Element) => {
    const { left, bottom } = element.getBoundingClientRect();
    setMenu({ id, x: left, y: bottom });
  };
  return {
    menu,
    closeMenu: () => setMenu(undefined),
    handlers: {
      onClick: (event: MouseEvent) => {
        const id = rowIdOf(event.target);
        const control = event.target instanceof Element ? event.target.closest<HTMLElement>('a, button') : null;
        if (id === undefined || control === null || control.getAttribute('aria-disabled') === 'true') return;
        if (control.dataset['rowOpener'] !== undefined) {
          if (control.matches('a') && !isPlainClick(event)) return;
          event.preventDefault();
          onOpen(id);
          return;
        }
        const { act, menu: opensMenu } = control.dataset;
        if (act !== undefined) onAction(id, act);
        else if (opensMenu !== undefined) openMenuBelow(id, control);
      },
      onDoubleClick: (event: MouseEvent) => {
        const id = rowIdOf(event.target);
        // The title and the buttons answer to single clicks already.
        if (id !== undefined && !isControl(event.target)) onOpen(id);
      },
      onContextMenu: (event: MouseEvent) => {
        const id = rowIdOf(event.target);
        // With Shift, or over marked text, the browser's own menu is what is wanted.
        if (!withMenu || id === undefined || event.shiftKey || getSelection()?.isCollapsed === false) return;
        event.preventDefault();
        setMenu({ id, x: event.clientX, y: event.clientY });
      },
      onKeyDown: (event: KeyboardEvent) => {
        const id = rowIdOf(event.target);
        if (withMenu && id !== undefined && event.target instanceof Element && isMenuKey(event)) {
          event.preventDefault();
          openMenuBelow(id, event.target);
        } else moveBetweenRows(event);
      },
    },
  };
}

/** They stand before the others. */
export const headRows = 1;

/** In which row of the table's rows an element is. No attribute tells it: to write a hundred of them for each page takes longer than to count. */
export const rowIndexOf = (target: EventTarget): number | undefined => {
  const row = target instanceof Element ? target.closest('tr') : null;
  return row === null ? undefined : row.rowIndex - headRows;
};

const isMenuKey = ({ key, shiftKey }: KeyboardEvent): boolean => key === 'ContextMenu' || (key === 'F10' && shiftKey);
const isControl = (target: EventTarget): boolean => target instanceof Element && target.closest('button, input, a, label') !== null;

/** Arrow keys, Home and End go from title to title; Tab still walks through everything. */
const moveBetweenRows = (event: KeyboardEvent): void => {
  if (!(event.target instanceof HTMLElement) || !event.target.matches('[data-row-opener]')) return;
  const openers = [...(event.target.closest('table')?.querySelectorAll<HTMLElement>('[data-row-opener]') ?? [])];
  const at = openers.indexOf(event.target);
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: openers.length - 1 };
  const target = openers[to[event.key] ?? -1];
  if (!target) return;
  event.preventDefault();
  target.focus();
};
