import { parseArgs } from 'node:util';
import { describeStore } from '#platform/objects/describe-store.ts';
import { describeSettings, printedCheck, printedSettings } from '#platform/settings/describe-settings.ts';

/*
 * What `pergamin settings` runs: the settings as the portal would read them from this environment, and how its store of objects locks. Fails when it would
 * not start with them.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } });
const settings = describeSettings(process.env);
const store = settings.problems.length === 0 ? await describeStore(process.env) : {};
const described = {
  ...settings,
  lock: store.lock ?? null,
  problems: [...settings.problems, ...(store.problem === undefined ? [] : [store.problem])],
};
const printed = values.check ? printedCheck(described) : printedSettings(described);
const told = store.lock === undefined || values.check ? '' : `Objects: ${store.name}, lock: ${store.lock}\n`;
process.stdout.write(values.json ? `${JSON.stringify(described, null, 2)}\n` : `${printed}${told}`);
process.exitCode = described.problems.length === 0 ? 0 : 1;
