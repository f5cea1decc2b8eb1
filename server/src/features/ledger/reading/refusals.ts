import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';

/** Codes for a register that cannot be used, and an alarm in the log. */
export type Refusals = ReturnType<typeof createRefusals>;

export const createRefusals = (log: Log) => {
  const refuseAs =
    (code: 'BC_ERROR' | 'DUPLICATE_BC') =>
    (what: string, cause?: unknown): PortalError => {
      log.error({ alarm: 'ledger', err: cause }, what);
      return new PortalError(code, { cause: new Error(what, { cause }) });
    };
  const refuse = refuseAs('BC_ERROR');

  /** What it runs into is a register that cannot be used. */
  const orRefused = async <Result>(what: string, act: () => Promise<Result> | Result): Promise<Result> => {
    try {
      return await act();
    } catch (error) {
      throw error instanceof PortalError ? error : refuse(what, error);
    }
  };

  return { refuse, refuseDuplicate: refuseAs('DUPLICATE_BC'), orRefused };
};
