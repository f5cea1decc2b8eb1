import type { Log } from '#platform/log/log.ts';
import { PortalError } from '#platform/http/errors.ts';

/** Why nothing is entered any more: going on would sign a second history. */
export type HaltReason =
  /** A larger tree was signed, or its tiles were written, than the database has. */
  | 'DATABASE_OLDER'
  /** The log has signed before, and the file of its last checkpoint is gone: what it had signed last is not known. */
  | 'CHECKPOINT_LOST'
  /** The tree of the database does not continue the one that was signed. */
  | 'OTHER_ROOT'
  /** Neither the tiles nor the entries give the root that was signed. */
  | 'ENTRIES_WRONG'
  /** The key at hand is not that of the log, or the last checkpoint is signed by another one. */
  | 'OTHER_KEY'
  /** A witness has seen a larger tree than there is. */
  | 'WITNESS_AHEAD';

/** Also for those who cosign. The caller is answered BC_ERROR, the log has the details. */
export class LedgerHalt extends PortalError {
  readonly reason: HaltReason;
  /** In words, for operators. */
  readonly details: string;

  constructor(reason: HaltReason, details: string) {
    super('BC_ERROR', { cause: new Error(details) });
    this.reason = reason;
    this.details = details;
  }
}

/** Remembers why the ledger is halted until a round succeeds again. */
export const createHalts = (log: Log) => {
  let halt: HaltReason | undefined;
  return {
    halted: (): HaltReason | undefined => halt,
    assertOpen(): void {
      if (halt !== undefined) throw new PortalError('BC_ERROR', { cause: new Error(`the ledger is halted: ${halt}`) });
    },
    async guard<Outcome>(round: () => Promise<Outcome>): Promise<Outcome> {
      try {
        const outcome = await round();
        if (halt !== undefined) log.info({ reason: halt }, 'the ledger goes on');
        halt = undefined;
        return outcome;
      } catch (error) {
        if (error instanceof LedgerHalt) {
          if (halt !== error.reason) log.error({ alarm: 'ledger', reason: error.reason, err: error.cause }, 'the ledger is halted');
          halt = error.reason;
        }
        throw error;
      }
    },
  };
};
