import { listIgnoreMarkers, listLimits, type DocumentQuery, type DocumentRow } from '@pergamin/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { speak } from '#platform/language.ts';
import { createMetadataTexts } from '#platform/metadata.ts';
import type { OwnMetadata } from '#platform/metadata.queries.ts';
import { DocumentList } from '../DocumentList.tsx';
import type { ListPlan } from '../list-plan.ts';
import type { ListSource } from '../list-source.ts';
import { rows } from './rows.ts';

const plan: ListPlan = {
  kind: 'received',
  label: 'Dokumenty',
  searchLabel: 'Szukaj',
  criteria: () => [],
  dateKey: 'REG_DATE',
  period: 'none',
  fields: [{ key: 'CASE', label: 'Sprawa', look: 'text' }],
  first: { header: 'Grupa', sortKey: 'GROUP', groupKey: 'GROUP' },
  columns: [
    { key: 'ACCOUNT_NUMBER', header: 'Rachunek', look: 'account', width: 200 },
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

/** From the end, and mixed: each press of a head shows other documents. Put in order here and now, as no browser does it either. */
const orders = {
  desc: rows.toReversed(),
  asc: rows.map((_, i) => rows[(i * 7 + 500) % rows.length] ?? rows[0]).filter((row) => row !== undefined),
};
/** As published, or as asked. */
const ordered = ({ sort: [first] }: DocumentQuery): readonly DocumentRow[] =>
  first === undefined || first.by === 'PUBLICATION_DATE' ? rows : orders[first.order];
const source: ListSource = {
  name: 'bench',
  isOwn: true,
  list: (query) =>
    Promise.resolve({
      items: ordered(query)
        .slice(query.page * query.size, (query.page + 1) * query.size)
        .map((row) => ({ ...row })),
      total: rows.length,
    }),
  download: () => Promise.resolve(false),
  check: () => Promise.reject(new Error('Nothing is checked here')),
};
const metadata: OwnMetadata = {
  texts: createMetadataTexts({ definitions: [], dictionaries: [] }),
  statementMarker: '',
  error: null,
  retry: () => undefined,
};

const pageSize = Number(new URLSearchParams(location.search).get('rows') ?? listLimits.maxPageSize);

const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
queries.setQueryData([listIgnoreMarkers.name], []);
// No sentences: what is measured does not depend on them.
await speak('PL', { 'brand.timeZone': 'Europe/Warsaw' });
const host = document.body.appendChild(document.createElement('div'));
host.style.cssText = 'position: fixed; inset: 0; display: flex; flex-direction: column';
createRoot(host).render(
  <QueryClientProvider client={queries}>
    <DocumentList
      plan={plan}
      source={source}
      metadata={metadata}
      begins={{ pageSize }}
      filtersFirst={false}
      hrefOf={(id) => `./#open=document:${id}`}
      onShow={() => undefined}
    />
    <Announcer />
  </QueryClientProvider>,
);
