import { listLimits, type DocumentRow } from '@pergamin/contract';

/** So many pages that none is shown twice. */
const total = 20 * listLimits.maxPageSize;
const hex = (number: number): string => ((number * 2_654_435_761) >>> 0).toString(16).padStart(8, '0');

export const rows: readonly DocumentRow[] = Array.from({ length: total }, (_, i) => ({
  id: `6f1b7a32-0000-4000-8000-${String(i).padStart(12, '0')}`,
  state: 'ACTIVE',
  corrupted: false,
  deleted: false,
  published: true,
  read: i % 7 === 0 ? null : 1,
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
