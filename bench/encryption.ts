import { join } from 'node:path';
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts';
import { onFreshPostgres } from './fresh-postgres.ts';
import { startProgram } from './program.ts';
import type { Measuring, Promised } from './promise.ts';

const lettersAtOnce = 12;
const rounds = 7;

type Ask = (word: 'publish' | 'open') => Promise<number>;

/** A portal of its own; what a letter costs there, of portal and database together. */
const startPortal = async (
  encryption: 'on' | 'off',
  use: (ask: Ask) => Promise<Omit<Measuring, typeof Symbol.asyncDispose>>,
): Promise<Measuring> =>
  onFreshPostgres(async ({ folder, postgres, cleanUp }) => {
    const order = { connection: postgres.connection, dataDir: join(folder, 'portal'), encryption };
    const portal = await startProgram('encryption-portal', order, folder);
    cleanUp.defer(() => portal.stop());
    const spent = (): number => cpuMsOf(portal.pid) + cpuMsOfFamily(postgres.pid);
    return use(async (word) => {
      const before = spent();
      await portal.ask(`${word} ${lettersAtOnce}`);
      return (spent() - before) / lettersAtOnce;
    });
  });

/** Both portals run all the time, and take turns. */
const compare = async (word: 'publish' | 'open'): Promise<Measuring> => {
  const sides: Measuring[] = [];
  const openSide = async (encryption: 'on' | 'off'): Promise<Measuring> => {
    const side = await startPortal(encryption, async (ask) => {
      // Until what runs once for each letter is compiled.
      for (let time = 0; time < 2; time += 1) for (const step of ['publish', 'open'] as const) await ask(step);
      return {
        async ours() {
          const publishing = await ask('publish');
          const opening = await ask('open');
          return word === 'publish' ? publishing : opening;
        },
      };
    });
    sides.push(side);
    return side;
  };
  const close = async (): Promise<void> => {
    for (const side of sides) await side[Symbol.asyncDispose]();
  };
  try {
    const [plain, encrypted] = [await openSide('off'), await openSide('on')];
    return { floor: () => plain.ours(), ours: () => encrypted.ours(), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
};

export const encryption: readonly Promised[] = [
  {
    name: 'encryption-publishing',
    promise: 'a publication whose document is encrypted, against one that is stored as it comes, with its first page drawn ahead',
    unit: 'ms CPU',
    limit: 1.15,
    rounds,
    open: () => compare('publish'),
  },
  {
    name: 'encryption-first-page',
    promise: 'the first page of an encrypted document, against that of one that is stored as it came',
    unit: 'ms CPU',
    limit: 1.1,
    rounds,
    open: () => compare('open'),
  },
];
