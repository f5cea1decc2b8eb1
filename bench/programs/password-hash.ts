import { createInterface } from 'node:readline';
import { createPasswords, standardPasswordCost } from '../../identity/src/accounts/passwords.ts';
import { askers } from '../../identity/src/accounts/hash-queue.ts';
import { say } from '../program.ts';

/*
 * The lower bound of a sign-in: verifications of a password at the product's own cost parameters, two at once as in the product.
 */
const password = 'Bench-2026-Pergamin';
const passwords = createPasswords(standardPasswordCost);
const stored = await passwords.hash(password, askers.records);
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const times = Number(line);
  let left = times;
  const check = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (!(await passwords.isRight(stored, password, askers.records))) throw new Error('the right password was not right');
    }
  };
  await Promise.all([check(), check()]);
  say({ times });
}
