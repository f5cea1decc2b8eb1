import { LedgerHalt, openLedgerRepairHere } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin ledger` runs: puts the ledger of this environment right, beside a portal that runs or while none does. */

const [, , verb] = process.argv;

try {
  const repair = await openLedgerRepairHere(process.env);
  try {
    if (verb === 'adopt') process.stdout.write(`took over ${await repair.adopt()} entries that the database did not have\n`);
    else process.stdout.write(`wrote the tiles of ${await repair.rebuild()} entries\n`);
  } finally {
    await repair.close();
  }
} catch (error) {
  const isHalt = error instanceof LedgerHalt;
  if (!isHalt && !isForOperator(error)) throw error;
  const reason = isHalt && error.cause instanceof Error ? error.cause.message : error.message;
  process.stderr.write(`pergamin: ${reason}\n`);
  process.exitCode = 1;
}
