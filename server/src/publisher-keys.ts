import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createLocalTime } from '#platform/clock/local-time.ts';
import { KeyRegisterError, type OpenKeyRegister, openKeyRegisterHere } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/*
 * What `pergamin keys` runs: issues, lists, rotates and revokes publishers' keys in the database of this environment. Standard output has the
 * key alone, so that it can be piped to where it is kept; what is said to people is on standard error.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string', default: '' },
    scopes: { type: 'string', default: '' },
    expires: { type: 'string' },
    'overlap-ms': { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
});
const [verb, id = ''] = positionals;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

type Key = Awaited<ReturnType<OpenKeyRegister['list']>>[number];

const momentIn = (timeZone: string): ((moment: Date | null) => string) => {
  const local = createLocalTime(timeZone);
  return (moment) => (moment === null ? 'never' : local.textOf(moment).replace(', ', ' '));
};

const sayExpiry = (expiresAt: Date | null, timeZone: string): void => {
  say(`expires ${momentIn(timeZone)(expiresAt)}${expiresAt === null ? '' : ` (${timeZone})`}; the key is shown this once`);
};

const stateOf = ({ revokedAt, expiresAt }: Key, now: Date): 'works' | 'revoked' | 'expired' => {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'works';
};

const issue = async (register: OpenKeyRegister): Promise<void> => {
  const scopes = values.scopes
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
  const issued = await register.issue({ name: values.name, scopes, expires: values.expires });
  process.stdout.write(`${issued.key}\n`);
  say(`issued ${issued.id} for ${issued.name}: ${issued.scopes.join(', ')}`);
  sayExpiry(issued.expiresAt, register.timeZone);
};

const list = async (register: OpenKeyRegister): Promise<void> => {
  const now = new Date();
  const keys = (await register.list()).map((key) => ({ ...key, state: stateOf(key, now) }));
  if (values.json) {
    process.stdout.write(`${JSON.stringify(keys, null, 2)}\n`);
    return;
  }
  const when = momentIn(register.timeZone);
  const byWhom = (who: string | null): string => (who === null ? '' : ` by ${who}`);
  for (const key of keys) {
    const rows = [
      ['id', key.id],
      ['begins', `${key.start ?? 'pk_'}…`],
      ['scopes', key.scopes.join(', ')],
      ['issued', `${when(key.issuedAt)}${byWhom(key.issuedBy)}`],
      ['expires', when(key.expiresAt)],
      ['last use', when(key.lastUsedAt)],
      ...(key.revokedAt === null ? [] : [['revoked', `${when(key.revokedAt)}${byWhom(key.revokedBy)}`]]),
      ...(key.replacedBy === null ? [] : [['successor', key.replacedBy]]),
    ];
    process.stdout.write(`${key.name}  (${key.state})\n${rows.map(([what = '', text]) => `    ${what.padEnd(11)}${text}\n`).join('')}`);
  }
  say(`${keys.length} keys, times in ${register.timeZone}`);
};

const rotate = async (register: OpenKeyRegister): Promise<void> => {
  const { successor, formerEndsAt } = await register.rotate(id, Number(values['overlap-ms']));
  const when = momentIn(register.timeZone);
  process.stdout.write(`${successor.key}\n`);
  say(`issued ${successor.id} for ${successor.name}, in place of ${id}, which ends ${when(formerEndsAt)} (${register.timeZone})`);
  sayExpiry(successor.expiresAt, register.timeZone);
};

const isAgreed = async ({ name }: Key): Promise<boolean> => {
  if (values.yes) return true;
  if (!process.stdin.isTTY) throw new KeyRegisterError('nothing was revoked; say --yes where there is no terminal');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`The key of ${name} ends at once, for good. Type "revoke" to revoke it: `);
  terminal.close();
  return answer.trim() === 'revoke';
};

const revoke = async (register: OpenKeyRegister): Promise<void> => {
  const found = (await register.list()).find((key) => key.id === id);
  // Before the operator is asked to type something.
  if (found !== undefined && found.revokedAt === null && !(await isAgreed(found))) throw new KeyRegisterError('nothing was revoked');
  const { name } = await register.revoke(id);
  say(`revoked ${id} of ${name}: no process accepts it any more`);
};

const verbs: Readonly<Record<string, (register: OpenKeyRegister) => Promise<void>>> = { issue, list, rotate, revoke };

try {
  const run = verbs[verb ?? ''] ?? list;
  const register = await openKeyRegisterHere(process.env);
  try {
    await run(register);
  } finally {
    await register.close();
  }
} catch (error) {
  if (!isForOperator(error)) throw error;
  say(`pergamin: ${error.message}`);
  process.exitCode = 1;
}
