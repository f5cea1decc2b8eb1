import { parseArgs } from 'node:util';
import { describeStore } from '#platform/objects/describe-store.ts';
import { describeSettings, printedCheck, printedSettings } from '#platform/settings/describe-settings.ts';

/*
 * What `pergamin settings` runs: the settings as the portal would read them from this environment, and how its store of objects locks. Fails when it would
 * not start with them. With --check it tries what they name: exit code 1 when something is wrong, 2 when they cannot be read.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } });

const print = async (): Promise<void> => {
  const settings = describeSettings(process.env);
  const store = settings.problems.length === 0 ? await describeStore(process.env) : {};
  const problems = [...settings.problems, ...(store.problem === undefined ? [] : [store.problem])];
  const described = { ...settings, lock: store.lock ?? null, problems };
  const told = store.lock === undefined ? '' : `Objects: ${store.name}, lock: ${store.lock}\n`;
  process.stdout.write(values.json ? `${JSON.stringify(described, null, 2)}\n` : `${printedSettings(described)}${told}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
};

const check = async (): Promise<void> => {
  const { problems } = describeSettings(process.env);
  if (problems.length > 0) {
    process.stdout.write(printedCheck({ problems }));
    process.exitCode = 2;
    return;
  }
  const { checkSettings, printedOutcomes } = await import('#app/check/check-settings.ts');
  const { isForOperator } = await import('./for-operator.ts');
  try {
    const outcomes = await checkSettings(process.env);
    process.stdout.write(printedOutcomes(outcomes));
    process.exitCode = outcomes.some(({ state }) => state === 'wrong') ? 1 : 0;
  } catch (error) {
    if (!isForOperator(error)) throw error;
    process.stdout.write(`${error.message}\n`);
    process.exitCode = 2;
  }
};

await (values.check ? check() : print());
