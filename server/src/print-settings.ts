import { parseArgs } from 'node:util';
import { describeSettings, printedCheck, printedSettings } from '#platform/settings/describe-settings.ts';

/* What `pergamin settings` runs: the settings as the portal would read them from this environment. Fails when it would not start with them. */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } });
const described = describeSettings(process.env);
const printed = values.check ? printedCheck(described) : printedSettings(described);
process.stdout.write(values.json ? `${JSON.stringify(described, null, 2)}\n` : printed);
process.exitCode = described.problems.length === 0 ? 0 : 1;
