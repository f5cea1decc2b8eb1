import type { DocumentRow } from '@pergamin/contract';
import { useState } from 'react';
import { announce } from '#kit/Announcer.tsx';
import type { RowAction } from '#kit/table-parts.ts';
import { usePhone } from '#kit/usePhone.ts';
import { downloadOwnDocument } from '#platform/download.ts';
import { t } from '#platform/language.ts';
import { titleOf } from '#platform/metadata.ts';
import { checkAndTell } from './check-document.ts';
import { hindranceOf, opensByDownload, type Hindrance, type ReceivedAction } from './received.rules.ts';

interface RowActionsOptions {
  readonly ignoreMarkers: readonly string[];
  readonly onShow: (row: DocumentRow) => void;
}

interface RowActions {
  readonly actionsOf: (row: DocumentRow) => readonly RowAction[];
  readonly act: (row: DocumentRow, actionId: string) => void;
  /** What the document's name, a double click and Enter do. */
  readonly open: (row: DocumentRow) => void;
}

const kinds = [
  { id: 'show', icon: 'eye', label: 'list.show', named: 'list.showNamed' },
  { id: 'download', icon: 'download-simple', label: 'list.download', named: 'list.downloadNamed' },
  { id: 'check', icon: 'seal-check', label: 'list.check', named: 'list.checkNamed' },
] as const;

const reasonOf = (action: ReceivedAction, hindrance: Hindrance): string => {
  if (hindrance === 'corrupted') return t('list.corruptedReason');
  if (hindrance === 'unread') return t('list.checkAfterReading');
  return t(action === 'download' ? 'list.downloadByName' : 'list.downloadOnly');
};

/** Show, download and check of each row, in this order, and what is under way. */
export function useRowActions({ ignoreMarkers, onShow }: RowActionsOptions): RowActions {
  const phone = usePhone();
  const [underWay, setUnderWay] = useState<ReadonlySet<string>>(new Set());
  const keyOf = (action: string, row: DocumentRow): string => `${action} ${row.id}`;

  const run = async (action: 'download' | 'check', row: DocumentRow): Promise<void> => {
    const key = keyOf(action, row);
    if (underWay.has(key)) return;
    setUnderWay((keys) => new Set([...keys, key]));
    const title = titleOf(row);
    if (action === 'check') {
      announce(t('list.checking'));
      await checkAndTell({ id: row.id, title });
    } else {
      announce(t('list.downloading', { name: title }));
      const fileName = row.metadata['FILE_NAME'];
      if (await downloadOwnDocument({ id: row.id, fileName: fileName === undefined ? undefined : String(fileName) }))
        announce(t('list.downloaded', { name: title }));
    }
    setUnderWay((keys) => new Set([...keys].filter((other) => other !== key)));
  };

  const open = (row: DocumentRow): void => {
    if (opensByDownload(row, ignoreMarkers)) void run('download', row);
    else onShow(row);
  };

  return {
    open,
    act: (row, actionId) => {
      if (actionId === 'download' || actionId === 'check') void run(actionId, row);
      else open(row);
    },
    actionsOf: (row) =>
      kinds.map(({ id, icon, label, named }) => {
        const name = titleOf(row);
        const hindrance = hindranceOf(id, row, ignoreMarkers);
        // The phone's menu is a way of opening, as the name is: what can only be downloaded is downloaded from there too.
        const blocked = phone && id === 'download' && hindrance === 'downloadOnly' ? undefined : hindrance;
        const waiting = underWay.has(keyOf(id, row)) ? t(id === 'check' ? 'list.checking' : 'list.downloading', { name }) : undefined;
        return {
          id,
          icon,
          label: t(label),
          name: t(named, { name }),
          disabledReason: waiting ?? (blocked === undefined ? undefined : reasonOf(id, blocked)),
        };
      }),
  };
}
