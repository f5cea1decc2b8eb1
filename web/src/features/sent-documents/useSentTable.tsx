import type { SentDocument } from '@pergamin/contract';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import type { DataTableProps } from '#kit/table/DataTable.tsx';
import { Indefinite } from '#kit/text/MetadataList.tsx';
import type { RowAction, RowIdentity, TableColumn } from '#kit/table/table-parts.ts';
import { dayText, momentText } from '#platform/dates.ts';
import { downloadSentDocument } from '#platform/download.ts';
import { t } from '#platform/language.ts';
import { PhoneLine } from '#lists/PhoneLine.tsx';
import { openingOf } from '#lists/useRowActions.ts';
import { nameText } from '#platform/names.ts';
import type { SentDocumentsWindowProps } from './SentDocumentsWindow.tsx';

interface SentTableOptions extends Pick<SentDocumentsWindowProps, 'hrefOf' | 'onShow'> {
  /** There is room for every column. */
  readonly roomy: boolean;
}

const idOf = ({ id }: SentDocument): string => id;

/** The columns, lines and actions of what was sent (I1). */
export function useSentTable({ roomy, hrefOf, onShow }: SentTableOptions) {
  const [underWay, setUnderWay] = useState<ReadonlySet<string>>(new Set());
  const columns = useMemo(() => columnsOfSent().filter(({ id }) => roomy || id !== 'retentionDate'), [roomy]);

  const download = async ({ id, filename }: SentDocument): Promise<void> => {
    if (underWay.has(id)) return;
    setUnderWay((ids) => new Set([...ids, id]));
    announce(t('list.downloading', { name: filename }));
    if (await downloadSentDocument({ id, fileName: filename })) announce(t('list.downloaded', { name: filename }));
    setUnderWay((ids) => new Set([...ids].filter((other) => other !== id)));
  };
  const onOpen = (row: SentDocument): void => onShow(openingOf(row, row.filename));
  const onAction = (row: SentDocument, actionId: string): void => (actionId === 'download' ? void download(row) : onOpen(row));
  const identity = useCallback(
    (row: SentDocument): RowIdentity => ({
      sha256: row.sha256,
      title: row.filename,
      detail: (
        <>
          <Status document={row} />
          {/* A column that has no room is told below the name. */}
          {!roomy && `, ${t('sent.retentionDate')}: `}
          {!roomy && <Retention document={row} />}
        </>
      ),
      href: hrefOf(row.id),
    }),
    [hrefOf, roomy],
  );
  const actions = useCallback(
    ({ id, filename }: SentDocument): readonly RowAction[] => [
      { id: 'show', icon: 'eye', label: t('list.show'), name: t('list.showNamed', { name: filename }) },
      {
        id: 'download',
        icon: 'download-simple',
        label: t('list.download'),
        name: t('list.downloadNamed', { name: filename }),
        disabledReason: underWay.has(id) ? t('list.downloading', { name: filename }) : undefined,
      },
    ],
    [underWay],
  );
  return {
    identityColumn: { id: 'filename', header: t('column.fileName') },
    columns,
    identity,
    actions,
    loadingActions: [{}, {}],
    onAction,
    onOpen,
    menu: actions,
    rowId: idOf,
    phoneLines: linesOf,
  } satisfies Partial<DataTableProps<SentDocument>>;
}

const columnsOfSent = (): readonly TableColumn<SentDocument>[] => [
  { id: 'category', header: t('sending.category'), width: 144, narrowWidth: 112, cell: ({ category }) => nameText(category.name) },
  { id: 'type', header: t('sending.type'), width: 168, narrowWidth: 124, cell: ({ type }) => nameText(type.name) },
  { id: 'createdOn', header: t('sent.sendDate'), sortable: true, width: 188, cell: ({ createdOn }) => <Moment at={createdOn} /> },
  {
    id: 'retentionDate',
    header: t('sent.retentionDate'),
    width: 128,
    narrowWidth: 116,
    cell: (document) => <Retention document={document} />,
  },
];

function Moment({ at }: { readonly at: number }) {
  return <span className="num">{momentText(at)}</span>;
}

function Retention({ document: { retentionDate } }: { readonly document: SentDocument }) {
  return retentionDate === -1 ? <Indefinite /> : <span className="num">{dayText(retentionDate)}</span>;
}

/** On a phone a short state stands beside the moment, a long one below it. */
const linesOf = (row: SentDocument): readonly ReactNode[] => {
  const kind = `${nameText(row.category.name)} · ${nameText(row.type.name)}`;
  const sent = <Moment key="sent" at={row.createdOn} />;
  const status = <Status key="status" document={row} />;
  return row.status === 'SENT' ? [kind, <PhoneLine key="state" parts={[sent, status]} />] : [kind, sent, status];
};

/** Whether the organisation has taken it over, and when (H6). */
function Status({ document: { status, receivedOn } }: { readonly document: SentDocument }) {
  if (status === 'SENT' || receivedOn === null) return t('sent.SENT');
  return (
    <>
      {t('sent.RECEIVED')} <span className="num">{momentText(receivedOn)}</span>
    </>
  );
}
