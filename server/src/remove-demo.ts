import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { openOfflineRemovalHere } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/*
 * What `pergamin demo remove --offline` runs: removes the demonstration from the database and the data folder of this environment, where no
 * portal has to run. Asks first, unless `--yes` is given.
 */
const { values } = parseArgs({ options: { yes: { type: 'boolean', default: false } } });

const isAgreed = async (): Promise<boolean> => {
  if (values.yes) return true;
  if (!process.stdin.isTTY) {
    process.stderr.write('pergamin: nothing was removed; say --yes where there is no terminal\n');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Type "remove" to remove them: ');
  terminal.close();
  return answer.trim() === 'remove';
};

try {
  const removal = await openOfflineRemovalHere(process.env);
  try {
    const { clients, documents, statutes } = await removal.count();
    process.stdout.write(`demonstration: ${clients} clients, ${documents} documents, ${statutes} statutes\n`);
    if (await isAgreed()) {
      const removed = await removal.remove();
      process.stdout.write(`removed ${removed.clients} clients, ${removed.documents} documents, ${removed.statutes} statutes\n`);
    } else process.exitCode = 1;
  } finally {
    await removal.close();
  }
} catch (error) {
  if (!isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 1;
}
