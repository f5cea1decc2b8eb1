import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { printSettingsPath } from '../server-program.ts';

export const settings = {
  usage: `pergamin settings [--check | --json]
    Every setting of the portal with its value and what it means, as the portal would read it from this very
    environment; run it where the portal runs. Of secrets it says only that they are set. Exit code 1 when the
    portal would not start with them. --check tries what they name, a line each, and changes nothing: database
    and its role, disk, bucket, keys, witnesses, mail server, identity services and the rest. Exit code 0: nothing
    is wrong with what was tried, 1: something is wrong, 2: the settings cannot be read.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, {
      options: { check: { type: 'boolean' }, json: { type: 'boolean' } },
      usage: settings.usage,
    });
    const flags = (['check', 'json'] as const).filter((name) => values[name] === true).map((name) => `--${name}`);
    if (positionals.length > 0 || flags.length > 1) throw new UsageError(settings.usage);
    await runServerProgram(printSettingsPath, flags);
  },
};
