import * as z from 'zod/mini';
import { type ReadOf, wholeNumber } from './sending-settings.ts';

/** Settings of what others and the portal itself verify again. */
export const scrubSettingRows = {
  LEDGER_PUBLIC: {
    doc: 'on: everyone may read the tiles and the checkpoint of the ledger at /log/; they tell how much is published, and nothing of documents or owners but public ones. off: they are not served.',
    schema: z.enum(['on', 'off']),
    standard: 'on',
    public: true,
  },
  SCRUB_DAYS: {
    doc: 'In so many days the stored bytes of all documents are read again once and compared with what was published, a share each day.',
    schema: wholeNumber(1, 365),
    standard: '30',
    public: true,
  },
} as const;

export const scrubSettingsOf = (read: ReadOf<typeof scrubSettingRows>) => ({
  isLedgerPublic: read.LEDGER_PUBLIC === 'on',
  scrubDays: read.SCRUB_DAYS,
});
