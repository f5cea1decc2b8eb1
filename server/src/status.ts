import { readStatusHere, type StatusState } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin status` runs. Standard output has the status alone. Exit code 0: all is fine, 1: look at something, 2: something could not be found out. */

const marks: Readonly<Record<StatusState, string>> = { FINE: 'ok    ', LOOK: 'LOOK  ', UNKNOWN: '?     ' };

try {
  const parts = await readStatusHere(process.env);
  const has = (wanted: StatusState): boolean => parts.some(({ state }) => state === wanted);
  if (process.argv.includes('--json')) {
    const told = Object.fromEntries(parts.map(({ name, state, words, data }) => [name, { state, words, ...data }]));
    process.stdout.write(`${JSON.stringify({ isFine: parts.every(({ state }) => state === 'FINE'), ...told })}\n`);
  } else {
    const lines = parts.flatMap(({ name, state, words: [first = '', ...more] }) => [
      `${marks[state]} ${name.padEnd(10)} ${first}`,
      ...more.map((line) => `${' '.repeat(18)}${line}`),
    ]);
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  process.exitCode = has('LOOK') ? 1 : has('UNKNOWN') ? 2 : 0;
} catch (error) {
  if (!isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 2;
}
