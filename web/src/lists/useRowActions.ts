import type { DocumentRow } from '@pergamin/contract';
import { useCallback, useState } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import type { RowAction as ShownAction } from '#kit/table/table-parts.ts';
import { checkAndTell, type Verdict } from './check-and-tell.ts';
import type { ListPlan } from './list-plan.ts';
import type { ListSource } from './list-source.ts';
import { nameOfRow } from './row-cells.tsx';
import { type Hindrance, hindranceOf, opensByDownload, type RowAction } from './row-rules.ts';

interface RowActionsOptions {
  readonly source: ListSource;
  readonly ignoreMarkers: readonly string[];
  readonly onShow: (row: DocumentRow) => void;
  readonly onHistory: (row: DocumentRow) => void;
}

interface RowActions {
  readonly actionsOf: (row: DocumentRow) => readonly ShownAction[];
  /** As `actionsOf`, for a menu: it is a way of opening, as the name is. */
  readonly menuActionsOf: (row: DocumentRow) => readonly ShownAction[];
  readonly act: (row: DocumentRow, actionId: string) => void;
  /** What the last check of a document gave, since the list was opened. */
  readonly verdictOf: (row: DocumentRow) => Verdict | undefined;
  /** What the document's name, a double click and Enter do. */
  readonly open: (row: DocumentRow) => void;
}

const reasonOf = (action: RowAction, hindrance: Hindrance): string => {
  if (hindrance === 'corrupted') return t('list.corruptedReason');
  if (hindrance === 'unread') return t('list.checkAfterReading');
  return t(action === 'download' ? 'list.downloadByName' : 'list.downloadOnly');
};

const keyOf = (action: string, row: DocumentRow): string => `${action} ${row.id}`;

/** What can be done with each row, in the order of the plan, and what is under way. */
export function useRowActions(plan: ListPlan, { source, ignoreMarkers, onShow, onHistory }: RowActionsOptions): RowActions {
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
      const fileName = row.metadata['FILE_NAME'];
      if (await source.download({ id: row.id, fileName: fileName === undefined ? undefined : String(fileName) }))
        announce(t('list.downloaded', { name: title }));
    }
    setUnderWay((keys) => new Set([...keys].filter((other) => other !== key)));
  };

  const open = (row: DocumentRow): void => {
    if (opensByDownload(row, ignoreMarkers)) void run('download', row);
    else onShow(row);
  };
  const act = (row: DocumentRow, actionId: string): void => {
    if (actionId === 'download' || actionId === 'check') void run(actionId, row);
    else if (actionId === 'history') onHistory(row);
    else open(row);
  };
  const verdictOf = useCallback((row: DocumentRow) => verdicts.get(row.id), [verdicts]);
  const describe = useCallback(
    (row: DocumentRow, inMenu: boolean): readonly ShownAction[] => {
      const name = nameOfRow(plan, row);
      const shown = plan.actions.filter(({ onlyInMenu }) => inMenu || onlyInMenu !== true);
      return shown.map(({ id, icon, label, named, worded }) => {
        const hindrance = hindranceOf(id, row, { ignoreMarkers, checkAfterReading: plan.checkAfterReading });
        const blocked = inMenu && id === 'download' && hindrance === 'downloadOnly' ? undefined : hindrance;
        const waiting = underWay.has(keyOf(id, row)) ? t(id === 'check' ? 'list.checking' : 'list.downloading', { name }) : undefined;
        return {
          id,
          icon,
          label,
          name: named(name),
          worded,
          disabledReason: waiting ?? (blocked === undefined ? undefined : reasonOf(id, blocked)),
        };
      });
    },
    [plan, ignoreMarkers, underWay],
  );
  return {
    open,
    act,
    verdictOf,
    actionsOf: useCallback((row: DocumentRow) => describe(row, false), [describe]),
    menuActionsOf: useCallback((row: DocumentRow) => describe(row, true), [describe]),
  };
}
