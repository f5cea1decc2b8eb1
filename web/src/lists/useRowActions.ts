import type { DocumentRow } from '@pergamin/contract';
import { useCallback, useState } from 'react';
import { t } from '#platform/language.ts';
import { fileNameOf } from '#platform/metadata.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import type { RowAction } from '#kit/table/table-parts.ts';
import { checkAndTell, type Verdict } from './check-and-tell.ts';
import type { ListAction } from './list-plan.ts';
import type { ListRowsProps } from './ListRows.tsx';
import { nameOfRow } from './row-cells.tsx';
import { type Hindrance, hindranceOf, opensByDownload } from './row-rules.ts';

/** What is opened, by what it is called here, and from where. */
export interface Opening {
  readonly id: string;
  readonly title: string;
  readonly opener: HTMLElement | null;
}

export const openingOf = ({ id }: Pick<DocumentRow, 'id'>, title: string): Opening => ({
  id,
  title,
  opener: document.activeElement instanceof HTMLElement ? document.activeElement : null,
});

/** What can be done with each row, in the order of the plan, and what is under way. */
export function useRowActions({ plan, source, documents: { ignoreMarkers }, onShow, onHistory }: ListRowsProps) {
  const [underWay, setUnderWay] = useState<ReadonlySet<string>>(new Set());
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, Verdict>>(new Map());

  const run = async (action: 'download' | 'check', row: DocumentRow): Promise<void> => {
    const key = keyOf(action, row);
    if (underWay.has(key)) return;
    setUnderWay((keys) => new Set([...keys, key]));
    const title = nameOfRow(plan, row);
    if (action === 'check') {
      announce(t('list.checking'));
      const verdict = await checkAndTell(source, { id: row.id, title });
      if (verdict !== undefined) setVerdicts((known) => new Map([...known, [row.id, verdict]]));
    } else {
      announce(t('list.downloading', { name: title }));
      if (await source.download({ id: row.id, fileName: fileNameOf(row) })) announce(t('list.downloaded', { name: title }));
    }
    setUnderWay((keys) => new Set([...keys].filter((other) => other !== key)));
  };

  /** What the document's name, a double click and Enter do. */
  const open = (row: DocumentRow): void => {
    if (opensByDownload(row, ignoreMarkers)) void run('download', row);
    else onShow({ ...openingOf(row, nameOfRow(plan, row)), row });
  };
  const act = (row: DocumentRow, actionId: string): void => {
    if (actionId === 'download' || actionId === 'check') void run(actionId, row);
    else if (actionId === 'history') onHistory?.(openingOf(row, nameOfRow(plan, row)));
    else open(row);
  };
  /** As buttons, or for a menu: there a download is a way of opening, as the name is. */
  const describe = useCallback(
    (row: DocumentRow, inMenu: boolean): readonly RowAction[] => {
      const name = nameOfRow(plan, row);
      const shown = plan.actions.filter(({ onlyInMenu }) => inMenu || onlyInMenu !== true);
      return shown.map(({ id, icon, label, named, worded }) => {
        const hindrance = hindranceOf(id, row, { ignoreMarkers, checkAfterReading: plan.checkAfterReading });
        const blocked = inMenu && id === 'download' && hindrance === 'downloadOnly' ? undefined : hindrance;
        const waiting = underWay.has(keyOf(id, row)) ? t(id === 'check' ? 'list.checking' : 'list.downloading', { name }) : undefined;
        const disabledReason = waiting ?? (blocked && reasonOf(id, blocked));
        return { id, icon, label, name: named(name), worded, disabledReason };
      });
    },
    [plan, ignoreMarkers, underWay],
  );
  return {
    open,
    act,
    actionsOf: useCallback((row: DocumentRow) => describe(row, false), [describe]),
    menuActionsOf: useCallback((row: DocumentRow) => describe(row, true), [describe]),
    /** What the last check gave, by document, since the list was opened. */
    verdicts,
  };
}

const keyOf = (action: string, row: DocumentRow): string => `${action} ${row.id}`;

const reasonOf = (action: ListAction['id'], hindrance: Hindrance): string => {
  if (hindrance === 'corrupted') return t('list.corruptedReason');
  if (hindrance === 'unread') return t('list.checkAfterReading');
  return t(action === 'download' ? 'list.downloadByName' : 'list.downloadOnly');
};
