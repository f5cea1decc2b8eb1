import type { DocumentRow, MetadataValue } from '@pergamin/contract';
import type { ReactNode } from 'react';
import { Badge } from '#kit/Badge.tsx';
import { Indefinite } from '#kit/MetadataList.tsx';
import type { RowIdentity, TableColumn } from '#kit/table-parts.ts';
import { dayText, isIndefinite } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { accountNumberText, type MetadataTexts, shortAccountNumber, titleOf } from '#platform/metadata.ts';

export const groupId = 'PRIV_DOC_PRODUCT_GROUP';

/** The columns after the first one, which is the product group (D1). Their ids are what the list is sorted by. */
export const receivedColumns = (): readonly TableColumn<DocumentRow>[] => [
  {
    id: 'ACCOUNT_NUMBER',
    header: t('column.accountNumber'),
    sortable: true,
    width: 184,
    narrowWidth: 172,
    cell: (row) => <AccountNumber value={row.metadata['ACCOUNT_NUMBER']} />,
  },
  {
    id: 'PRIV_CASE_NUMBER',
    header: t('column.caseNumber'),
    sortable: true,
    width: 136,
    narrowWidth: 124,
    cell: (row) => <MachineText value={row.metadata['PRIV_CASE_NUMBER']} />,
  },
  {
    id: 'REG_DATE',
    header: t('column.registrationDate'),
    sortable: true,
    width: 148,
    narrowWidth: 112,
    cell: (row) => <Day value={row.metadata['REG_DATE']} />,
  },
];

export const identityOf = (row: DocumentRow, texts: MetadataTexts, href: string): RowIdentity => ({
  sha256: checksumOf(row),
  icon: 'file-text-duotone',
  title: titleOf(row),
  lead: texts.textOf(groupId, row.metadata[groupId]) || undefined,
  href,
  badge: <StateBadge row={row} />,
});

/** What the phone's list says under the document's name. */
export const phoneLines = (row: DocumentRow, texts: MetadataTexts): readonly ReactNode[] => {
  const group = texts.textOf(groupId, row.metadata[groupId]);
  const date = <Day value={row.metadata['REG_DATE']} />;
  return [
    group === '' ? (
      date
    ) : (
      <>
        {group} · {date}
      </>
    ),
    ...(row.metadata['ACCOUNT_NUMBER'] === undefined ? [] : [<AccountNumber key="account" value={row.metadata['ACCOUNT_NUMBER']} />]),
  ];
};

const checksumOf = ({ metadata }: DocumentRow): string | undefined => {
  const checksum = metadata['CHECKSUM_SHA256'];
  return typeof checksum === 'string' && checksum !== '' ? checksum : undefined;
};

/** States other than ACTIVE have a label (D19); damage comes before everything else (D18). */
function StateBadge({ row }: { readonly row: DocumentRow }) {
  if (row.corrupted)
    return (
      <Badge tone="bad" icon="warning-circle-fill">
        {t('list.corrupted')}
      </Badge>
    );
  if (row.state === 'ACTIVE') return null;
  return (
    <Badge tone="warn" icon="warning-fill">
      {t(`state.${row.state}`)}
    </Badge>
  );
}

/** The middle is left out for the eyes only: the tooltip and screen readers have the whole number. */
function AccountNumber({ value }: { readonly value: MetadataValue | undefined }) {
  if (value === undefined) return null;
  const whole = accountNumberText(String(value));
  const short = shortAccountNumber(String(value));
  if (whole === short) return <span className="num">{whole}</span>;
  return (
    <span className="num" title={whole}>
      <span aria-hidden="true">{short}</span>
      <span className="visually-hidden">{whole}</span>
    </span>
  );
}

function MachineText({ value }: { readonly value: MetadataValue | undefined }) {
  return value === undefined ? null : (
    <span className="num" title={String(value)}>
      {String(value)}
    </span>
  );
}

function Day({ value }: { readonly value: MetadataValue | undefined }) {
  if (typeof value === 'boolean' || value === undefined || value === '')
    return (
      <span className="num">
        <span aria-hidden="true">{t('date.none')}</span>
        <span className="visually-hidden">{t('date.noneSpoken')}</span>
      </span>
    );
  return isIndefinite(value) ? <Indefinite /> : <span className="num">{dayText(value)}</span>;
}
