import { compareLetters } from './letters.ts';
import type { Promised } from './promise.ts';

/** What either portal spends drifts by a tenth over several rounds. */
const rounds = 15;
const sides = { floor: { encryption: 'off', ledger: 'on' }, ours: { encryption: 'on', ledger: 'on' } } as const;

export const encryption: readonly Promised[] = [
  {
    name: 'encryption-publishing',
    promise: 'a publication whose document is encrypted, against one that is stored as it comes, with its first page drawn ahead',
    unit: 'ms CPU',
    limit: 1.15,
    rounds,
    open: () => compareLetters('publish', sides),
  },
  {
    name: 'encryption-first-page',
    promise: 'the first page of an encrypted document, against that of one that is stored as it came',
    unit: 'ms CPU',
    limit: 1.1,
    rounds,
    open: () => compareLetters('open', sides),
  },
];
