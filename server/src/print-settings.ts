import { parseArgs } from 'node:util';
import { describeSettings, printedSettings } from '#platform/settings/describe-settings.ts';

/* What `pergamin settings` runs: the settings as the portal would read them from this environment. Fails when it would not start with them. */
const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const described = describeSettings(process.env);
process.stdout.write(values.json ? `${JSON.stringify(described, null, 2)}\n` : printedSettings(described));
process.exitCode = described.problems.length === 0 ? 0 : 1;
