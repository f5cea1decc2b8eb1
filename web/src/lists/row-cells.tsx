import type { DocumentRow, MetadataValue } from '@pergamin/contract';
import type { ReactNode } from 'react';
import { dayText, isIndefinite } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { accountNumberText, checksumOf, type MetadataTexts, titleOf } from '#platform/metadata.ts';
import { Badge } from '#kit/feedback/Badge.tsx';
import { stateBadgeOf } from './state-badge.tsx';
import { Indefinite } from '#kit/text/MetadataList.tsx';
import type { RowIdentity } from '#kit/table/table-parts.ts';
import type { Verdict } from './check-and-tell.ts';
import type { ListColumn, ListPlan } from './list-plan.ts';
import { PhoneLine } from './PhoneLine.tsx';
import css from './RowCells.module.css';

/** What a document is called in a list: by the list's own key for names, or its file name. */
export const nameOfRow = (plan: ListPlan, row: DocumentRow): string => {
  const { nameKey } = plan.first;
  const own = nameKey === undefined ? '' : String(row.metadata[nameKey] ?? '').trim();
  return own === '' ? titleOf(row) : own.replace(/\.pdf$/i, '');
};

/** The first column: seal, name, group, and the state that has to be told. */
export const identityOfRow = (
  plan: ListPlan,
  row: DocumentRow,
  { texts, href, verdict }: { readonly texts: MetadataTexts; readonly href: string | undefined; readonly verdict: Verdict | undefined },
): RowIdentity => {
  const { groupKey, plain = false } = plan.first;
  const group = groupKey === undefined ? '' : texts.textOf(groupKey, row.metadata[groupKey]);
  return {
    sha256: checksumOf(row),
    title: nameOfRow(plan, row),
    group: group === '' ? undefined : group,
    plain,
    href,
    badge: (
      <>
        {stateBadgeOf(row)}
        {verdict && (
          <Badge tone={verdict.isSound ? 'ok' : 'bad'} icon={verdict.isSound ? 'seal-check-fill' : 'warning-circle-fill'}>
            {verdict.text}
          </Badge>
        )}
      </>
    ),
    verdict: verdict && (verdict.isSound ? 'sound' : 'unsound'),
  };
};

export const phoneLinesOf = (plan: ListPlan, row: DocumentRow, texts: MetadataTexts): readonly ReactNode[] =>
  plan.phoneLines.flatMap((keys) => {
    const cells = keys.flatMap((key) => {
      const look = plan.columns.find((column) => column.key === key)?.look ?? 'option';
      if (row.metadata[key] === undefined && look !== 'day') return [];
      return [valueOf(row, { key, look: look === 'note' ? 'text' : look, texts })];
    });
    if (cells.length === 0) return [];
    return [<PhoneLine key={keys.join(' ')} parts={cells} />];
  });

/** What a cell shows of one value of a row. */
export const valueOf = (
  { metadata }: DocumentRow,
  { key, look, texts }: Pick<ListColumn, 'key' | 'look'> & { readonly texts: MetadataTexts },
): ReactNode => {
  const value = metadata[key];
  if (look === 'day') return dayOf(value);
  if (value === undefined) return null;
  if (look === 'account') return numberOf(accountNumberText(String(value)));
  const text = texts.textOf(key, value);
  if (look === 'note') return <span className={css['note']}>{text}</span>;
  return look === 'mono' ? numberOf(text) : text;
};

const numberOf = (text: string): ReactNode => <span className="num">{text}</span>;

const dayOf = (value: MetadataValue | undefined): ReactNode => {
  if (typeof value === 'boolean' || value === undefined || value === '')
    return (
      <span className="num">
        <span aria-hidden="true">{t('date.none')}</span>
        <span className="visually-hidden">{t('date.noneSpoken')}</span>
      </span>
    );
  return isIndefinite(value) ? <Indefinite /> : numberOf(dayText(value));
};
