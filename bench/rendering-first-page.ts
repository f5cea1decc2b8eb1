import { join } from 'node:path';
import * as z from 'zod/mini';
import { onFreshPostgres } from './fresh-postgres.ts';
import { median } from './measure.ts';
import { startProgram } from './program.ts';
import type { Promised } from './promise.ts';

const figures = z.object({ openedMs: z.array(z.number()), isAtWork: z.boolean() });

const rounds = 3;
const documentsAtOnce = 50;
const lettersPerRound = 15;

/** One client has opened fifty documents of twenty pages; another opens letters of one page, one after the other, while they are drawn. */
export const renderingFirstPage: Promised = {
  name: 'rendering-first-page',
  promise: 'from the first question to the first page of another client while fifty documents are drawn, against a portal at rest',
  unit: 'ms',
  limit: 2,
  rounds,
  open: () =>
    onFreshPostgres(async ({ folder, postgres, cleanUp }) => {
      const order = {
        connection: postgres.connection,
        dataDir: join(folder, 'portal'),
        documents: rounds * documentsAtOnce,
        letters: rounds * 2 * lettersPerRound + lettersPerRound,
      };
      const portal = await startProgram('rendering-portal', order, folder);
      cleanUp.defer(() => portal.stop());
      const openLetters = async (): Promise<z.output<typeof figures>> => figures.parse(await portal.ask(`open ${lettersPerRound}`));
      // What is compiled at the first times is compiled.
      await openLetters();
      return {
        async floor() {
          await portal.ask('rest');
          return median((await openLetters()).openedMs);
        },
        async ours() {
          await portal.ask(`draw ${documentsAtOnce}`);
          const { openedMs, isAtWork } = await openLetters();
          if (!isAtWork) throw new Error('the fifty documents were drawn before the letters were opened: there was nothing to wait for');
          return median(openedMs);
        },
      };
    }),
};
