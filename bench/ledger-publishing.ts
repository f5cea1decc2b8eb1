import { join } from 'node:path';
import * as z from 'zod/mini';
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts';
import { onFreshPostgres } from './fresh-postgres.ts';
import { startProgram } from './program.ts';
import type { Measuring, Promised } from './promise.ts';

const lettersAtOnce = 20;

const answer = z.object({ entries: z.int() });

/** A portal of its own; what a letter costs there, of portal and database together. */
const openSide = (ledger: 'on' | 'off'): Promise<Measuring> =>
  onFreshPostgres(async ({ folder, postgres, cleanUp }) => {
    const order = { connection: postgres.connection, dataDir: join(folder, 'portal'), ledger };
    const portal = await startProgram('publishing-portal', order, folder);
    cleanUp.defer(() => portal.stop());
    const spent = (): number => cpuMsOf(portal.pid) + cpuMsOfFamily(postgres.pid);
    const publish = async (): Promise<number> => answer.parse(await portal.ask(String(lettersAtOnce))).entries;
    // Until what runs once for each letter is compiled.
    for (let time = 0; time < 3; time += 1) await publish();
    return {
      async ours() {
        const before = spent();
        const entries = await publish();
        if (entries > 0 !== (ledger === 'on')) throw new Error(`${entries} entries with the ledger ${ledger}`);
        return (spent() - before) / lettersAtOnce;
      },
    };
  });

/** Both portals run all the time, and take turns. */
const open = async (): Promise<Measuring> => {
  const cleanUp = new AsyncDisposableStack();
  try {
    const without = cleanUp.use(await openSide('off'));
    const withLedger = cleanUp.use(await openSide('on'));
    return { floor: () => without.ours(), ours: () => withLedger.ours(), [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

export const ledgerPublishing: Promised = {
  name: 'ledger-publishing',
  promise:
    'a publication that the ledger covers, with its first page drawn ahead, against one that becomes visible with the transaction that keeps it',
  unit: 'ms CPU',
  limit: 1.15,
  rounds: 9,
  open,
};
