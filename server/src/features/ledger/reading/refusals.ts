import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';

/** BC_ERROR for a register that cannot be used, and an alarm in the log. */
export type Refusals = ReturnType<typeof createRefusals>;

export const createRefusals = (log: Log) => {
  const refuse = (what: string, cause?: unknown): PortalError => {
    log.error({ alarm: 'ledger', err: cause }, what);
    return new PortalError('BC_ERROR', { cause: new Error(what, { cause }) });
  };

  /** What it runs into is a register that cannot be used. */
  const orRefused = async <Result>(what: string, act: () => Promise<Result> | Result): Promise<Result> => {
    try {
      return await act();
    } catch (error) {
      throw error instanceof PortalError ? error : refuse(what, error);
    }
  };

  return { refuse, orRefused };
};
