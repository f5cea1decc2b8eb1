import type { Subject, Throttle } from '../throttle/throttle.ts';
import { TooBusyError } from './hash-queue.ts';
import type { PasswordFault } from './password-rules.ts';
import { busySeconds } from './sign-in.ts';

type Refusal =
  | { readonly kind: 'unfit'; readonly fault: PasswordFault }
  /** It is the present one, or one of this many before it. */
  | { readonly kind: 'usedBefore'; readonly previous: number }
  /** Throttled: the password was not verified. */
  | { readonly kind: 'wait'; readonly seconds: number };

export type ChangeOutcome = { readonly kind: 'changed' } | { readonly kind: 'wrongOld' } | Refusal;

/** `void`: the link was used, is too old, another one or another password came after it, or it needs an activation code and none was issued. */
export type LinkOutcome =
  /** `isFirst`: no session can exist before it. */
  | { readonly kind: 'set'; readonly isFirst: boolean }
  | { readonly kind: 'void' }
  | { readonly kind: 'codeMissing' }
  | { readonly kind: 'wrongCode' }
  | Refusal;

/** Refuses when too many passwords are being checked, and gives the tries back. */
export const createUnlessTooBusy =
  (throttle: Pick<Throttle, 'giveBack'>) =>
  async <Outcome>(counted: readonly Subject[], work: () => Promise<Outcome>): Promise<Outcome | Refusal> => {
    try {
      return await work();
    } catch (error) {
      if (counted.length > 0) await throttle.giveBack(counted);
      if (error instanceof TooBusyError) return { kind: 'wait', seconds: busySeconds };
      throw error;
    }
  };
