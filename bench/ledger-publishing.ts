import { compareLetters } from './letters.ts';
import type { Promised } from './promise.ts';

export const ledgerPublishing: Promised = {
  name: 'ledger-publishing',
  promise:
    'a publication that the ledger covers, with its first page drawn ahead, against one that becomes visible with the transaction that keeps it',
  unit: 'ms CPU',
  limit: 1.15,
  rounds: 9,
  open: () => compareLetters('publish', { floor: { encryption: 'on', ledger: 'off' }, ours: { encryption: 'on', ledger: 'on' } }),
};
