import { setTimeout as pause } from 'node:timers/promises';
import { type Postmaster, type PostmasterPlan, startPostmaster } from './postmaster.ts';
import { endPreviousProcesses } from './running-processes.ts';

const restartAfterMs = 2_000;

/**
 * As `startPostmaster`, but one that ends without having been stopped is restarted until it runs: on a full disk PostgreSQL ends when it
 * cannot write its log, and recovers by itself as soon as there is room.
 */
export async function startRestartedPostmaster(plan: PostmasterPlan): Promise<Postmaster> {
  const { dataFolder, log, onUnexpectedExit } = plan;
  const stopped = new AbortController();
  let restarting: Promise<void> | undefined;

  const start = (): Promise<Postmaster> =>
    startPostmaster({
      ...plan,
      onUnexpectedExit(error) {
        onUnexpectedExit(error);
        restarting = restart();
      },
    });

  async function restart(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Rejects when it is stopped, which ends the loop.
      await pause(restartAfterMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      try {
        // Of a postmaster that was killed, backends may be left.
        await endPreviousProcesses(dataFolder);
        postmaster = await start();
        log.warn({ pid: postmaster.pid }, 'the embedded PostgreSQL was restarted');
        return;
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL could not be restarted; retrying');
      }
    }
  }

  let postmaster = await start();
  return {
    get pid() {
      return postmaster.pid;
    },
    async stop() {
      stopped.abort();
      await restarting;
      await postmaster.stop();
    },
  };
}
