import { listLimits, type DocumentQuery, type DocumentRow } from '@pergamin/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import '#kit/design.css';
import { Announcer } from '#kit/Announcer.tsx';
import { speak } from '#platform/language.ts';
import { createMetadataTexts } from '#platform/metadata.ts';
import type { OwnMetadata } from '#platform/metadata.queries.ts';
import { DocumentList } from '../DocumentList.tsx';
import type { ListPlan } from '../list-plan.ts';
import type { ListSource } from '../list-source.ts';

/* The page whose table `npm run bench table` sorts and turns: a hundred rows with all columns, seals, boxes and buttons. */

const total = 2 * listLimits.maxPageSize;
const hex = (number: number): string => ((number * 2_654_435_761) >>> 0).toString(16).padStart(8, '0');

const rows: readonly DocumentRow[] = Array.from({ length: total }, (_, i) => ({
  id: `6f1b7a32-0000-4000-8000-${String(i).padStart(12, '0')}`,
  state: 'ACTIVE',
  corrupted: false,
  deleted: false,
  published: true,
  read: i % 3 === 0 ? null : 1,
  downloaded: null,
  metadata: {
    FILE_NAME: `Umowa ${i}.pdf`,
    CHECKSUM_SHA256: hex(i + 1).repeat(8),
    GROUP: `Grupa ${i % 7}`,
    ACCOUNT_NUMBER: `PL61109010140000071219${String(812_000 + i)}`,
    CASE: `KH/${i}/2026`,
    REG_DATE: '2026-11-18',
    START: '2026-10-01',
    END: '2026-10-31',
  },
}));

const plan: ListPlan = {
  kind: 'received',
  label: 'Dokumenty',
  searchLabel: 'Szukaj',
  criteria: () => [],
  dateKey: 'REG_DATE',
  period: 'none',
  fields: [{ key: 'CASE', label: 'Sprawa', look: 'text' }],
  first: { header: 'Grupa', sortKey: 'GROUP', leadKey: 'GROUP' },
  columns: [
    { key: 'ACCOUNT_NUMBER', header: 'Rachunek', look: 'account', width: 192 },
    { key: 'CASE', header: 'Sprawa', look: 'mono', width: 136 },
    { key: 'REG_DATE', header: 'Data', look: 'day', width: 112 },
    { key: 'START', header: 'Od', look: 'day', width: 112 },
    { key: 'END', header: 'Do', look: 'day', width: 112 },
  ],
  phoneLines: [],
  actions: (['show', 'download', 'check'] as const).map((id) => ({
    id,
    icon: id === 'show' ? 'eye' : id === 'download' ? 'download-simple' : 'seal-check',
    label: id,
    named: (name) => `${id}: ${name}`,
  })),
  checkAfterReading: true,
  texts: { noDate: '', wrongDate: '' },
};

const ordered = ({ sort }: DocumentQuery): readonly DocumentRow[] => (sort[0]?.order === 'asc' ? rows.toReversed() : rows);
const source: ListSource = {
  name: 'bench',
  isOwn: true,
  list: (query) =>
    Promise.resolve({
      items: ordered(query)
        .slice(query.page * query.size, (query.page + 1) * query.size)
        .map((row) => ({ ...row })),
      total,
    }),
  ignoreMarkers: { name: 'none', ask: () => Promise.resolve([]) },
  download: () => Promise.resolve(false),
  check: () => Promise.reject(new Error('Nothing is checked here')),
};
const metadata: OwnMetadata = {
  texts: createMetadataTexts({ definitions: [], dictionaries: [] }),
  statementMarker: '',
  error: null,
  retry: () => undefined,
};

// No sentences: what is measured does not depend on them.
await speak('PL', { 'brand.timeZone': 'Europe/Warsaw' });
const host = document.body.appendChild(document.createElement('div'));
host.style.cssText = 'position: fixed; inset: 0; display: flex; flex-direction: column';
createRoot(host).render(
  <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
    <DocumentList
      plan={plan}
      source={source}
      metadata={metadata}
      begins={{ pageSize: listLimits.maxPageSize }}
      filtersFirst={false}
      hrefOf={(id) => `./#open=document:${id}`}
      onShow={() => undefined}
    />
    <Announcer />
  </QueryClientProvider>,
);
