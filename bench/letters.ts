import { join } from 'node:path';
import * as z from 'zod/mini';
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts';
import { onFreshPostgres } from './fresh-postgres.ts';
import { startProgram } from './program.ts';
import type { Measuring } from './promise.ts';

const lettersAtOnce = 16;
/** Left to itself, V8 collects one of two idle portals five times as often as the other, by when each was busy first. */
const sameCollector = ['--predictable-gc-schedule'];
type Word = 'publish' | 'open';

interface Product {
  readonly encryption: 'on' | 'off';
  readonly ledger: 'on' | 'off';
}

const answer = z.object({ entries: z.int() });

/** A portal of its own; what publishing or opening a letter costs there, of portal and database together. */
const openSide = (product: Product, word: Word): Promise<Measuring> =>
  onFreshPostgres(async ({ folder, postgres, cleanUp }) => {
    const order = { connection: postgres.connection, dataDir: join(folder, 'portal'), ...product };
    const portal = await startProgram('letters-portal', order, folder, sameCollector);
    cleanUp.defer(() => portal.stop());
    const spent = (): number => cpuMsOf(portal.pid) + cpuMsOfFamily(postgres.pid);
    const measure = async (asked: Word): Promise<number> => {
      const before = spent();
      const { entries } = answer.parse(await portal.ask(`${asked} ${lettersAtOnce}`));
      if (entries > 0 !== (product.ledger === 'on')) throw new Error(`${entries} entries with the ledger ${product.ledger}`);
      return (spent() - before) / lettersAtOnce;
    };
    const measureBoth = async (): Promise<number> => {
      const [publishing, opening] = [await measure('publish'), await measure('open')];
      return word === 'publish' ? publishing : opening;
    };
    // Until what runs once for each letter is compiled.
    for (let time = 0; time < 3; time += 1) await measureBoth();
    return { ours: measureBoth };
  });

/** Both portals run all the time, and take turns. */
export const compareLetters = async (
  word: Word,
  { floor, ours }: { readonly floor: Product; readonly ours: Product },
): Promise<Measuring> => {
  const cleanUp = new AsyncDisposableStack();
  try {
    const without = cleanUp.use(await openSide(floor, word));
    const measured = cleanUp.use(await openSide(ours, word));
    return { floor: () => without.ours(), ours: () => measured.ours(), [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};
