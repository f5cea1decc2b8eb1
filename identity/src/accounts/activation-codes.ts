import { randomInt } from 'node:crypto';
import { createPasswords } from './passwords.ts';
import { type Asker, askers } from './hash-queue.ts';

/**
 * Read aloud, copied from paper, typed on a telephone: nothing that is taken for something else (0 and O, 1 and I), and no vowels, so that no
 * letter to a client ever holds a word.
 */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ23456789';
const length = 8;
const group = 4;

export interface ActivationCodes {
  /** In its printed form: `HK7W-2QXR`. */
  make(): string;
  hash(code: string): Promise<string>;
  /** However it was typed: small letters, without the hyphen or with spaces. Throws TooBusyError. */
  isRight(storedHash: string, typed: string, asker: Asker): Promise<boolean>;
}

/** The typed code in the form that is hashed; empty when it cannot be a code. */
export const readCode = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/**
 * The second fact of an activation (R4). Guessing is stopped by counting; the hash only has to keep a stolen table from being worth its while,
 * and costs little enough for a hundred thousand invitations.
 */
export const createActivationCodes = (): ActivationCodes => {
  const hashes = createPasswords({ memoryKiB: 1_024, passes: 1 });
  return {
    make() {
      const signs = Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
      return `${signs.slice(0, group)}-${signs.slice(group)}`;
    },
    hash: (code) => hashes.hash(readCode(code), askers.records),
    isRight: (storedHash, typed, asker) => hashes.isRight(storedHash, readCode(typed), asker),
  };
};
