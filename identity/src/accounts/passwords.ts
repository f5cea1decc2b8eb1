import { availableParallelism } from 'node:os';
import { hash, type Options, verify } from '@node-rs/argon2';
import { type Asker, createHashQueue } from './hash-queue.ts';

export interface PasswordCost {
  readonly memoryKiB: number;
  readonly passes: number;
}

/** OWASP's smallest recommended argon2id: 13 ms on the reference machine. */
export const standardPasswordCost: PasswordCost = { memoryKiB: 19_456, passes: 2 };

/** More than people type; longer input is refused before it costs time. */
const maxPasswordLength = 200;

/**
 * One processor is left to other requests, and two of the four threads of libuv to files. On two processors one hash at a time keeps pace: the rest
 * of a sign-in costs more than its password, so that forty of them wait for the rest and not for this. Two at once were tried there, six times
 * each, alternating, while others wanted the processors too (parallel-sign-ins.test.ts): the forty were done no sooner, and timers were as late.
 */
const concurrency = Math.max(1, Math.min(2, availableParallelism() - 1));

export interface Passwords {
  /** Throws TooBusyError. */
  hash(password: string, asker: Asker): Promise<string>;
  /**
   * Takes as long for a person without a password (`undefined`) as for a wrong password, so that its time does not reveal which accounts exist.
   * Throws TooBusyError.
   */
  isRight(storedHash: string | undefined, password: string, asker: Asker): Promise<boolean>;
}

export const createPasswords = (cost: PasswordCost): Passwords => {
  // 2 is Argon2id; the package declares its names as a const enum, which a single-file compiler cannot read.
  const options: Options = { algorithm: 2, memoryCost: cost.memoryKiB, timeCost: cost.passes, parallelism: 1 };
  const queue = createHashQueue({ concurrency, maxWaiting: 50 });
  // Made at once, not with the first question: that would take longer, and reveal that the id is unknown.
  const unknownsHash = hash('no account has this password', options);
  return {
    hash: (password, asker) => queue.run(asker, () => hash(password, options)),
    isRight: (storedHash, password, asker) =>
      queue.run(asker, async () => {
        const isTooLong = password.length > maxPasswordLength;
        const fits = await verify(storedHash ?? (await unknownsHash), isTooLong ? '' : password);
        return fits && !isTooLong && storedHash !== undefined;
      }),
  };
};
