import type { Mutation } from '../row.ts';

/** What a receipt proves is its own event. */
export const verdictRows: readonly Mutation[] = [
  {
    name: 'the event of a receipt',
    rule: 'a receipt of what a customer sent proves no publication',
    file: 'ledger/src/verify-receipt.ts',
    find: "if (statement.event === expected) return 'proved';",
    replace: "if (statement.event !== 'FORGOTTEN') return 'proved';",
    tests: ['ledger/src/receipt.test.ts', 'cli/src/verify.test.ts'],
  },
  {
    name: 'the exit code of a receipt',
    rule: 'pergamin verify tells what a customer sent by an exit code of its own',
    file: 'cli/src/commands/verify.ts',
    find: 'throw new RefusedError(sentence, { exitCode: exitCodes[outcome] });',
    replace: 'throw new RefusedError(sentence);',
    tests: ['cli/src/verify.test.ts'],
  },
];
