import { calls, configurationKind, type ConfigurationChange } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { onOneLine } from '../one-line.ts';

/** The fields that differ; of a group who left and who joined. */
const differenceOf = ({ before, after }: ConfigurationChange): string => {
  if (before === null) return `new ${JSON.stringify(after)}`;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => [field, JSON.stringify(before[field]), JSON.stringify(after?.[field])] as const)
    .filter(([, was, is]) => was !== is)
    .map(([field, was, is]) => `${field}: ${[was, is].filter((text) => text !== undefined).join(' → ')}`)
    .join('; ');
};

const lineOf = (change: ConfigurationChange): string =>
  [
    new Date(change.at).toISOString(),
    change.kind,
    onOneLine(change.subject),
    `by ${onOneLine(change.keyName)}`,
    onOneLine(differenceOf(change)),
  ].join('  ');

export const config = {
  usage: `pergamin config history [metadata|dictionary|category|group] [--json]
    What was changed in metadata keys, dictionaries, categories and the members of groups: when, by which key, and what, the latest first.
    --json writes each change as a line of JSON, with the whole of it before and after.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { json: { type: 'boolean' } }, usage: config.usage });
    const [verb, word, ...more] = positionals;
    const kind = word === undefined ? undefined : safeParse(configurationKind, word).data;
    if (verb !== 'history' || more.length > 0 || (word !== undefined && kind === undefined)) throw new UsageError(config.usage);
    let before: string | undefined;
    for (;;) {
      const query = { ...(kind === undefined ? {} : { kind }), ...(before === undefined ? {} : { before }) };
      const { items, more: isMore } = await connection.call(calls.listConfigurationChanges, { query });
      for (const change of items) process.stdout.write(`${values.json === true ? JSON.stringify(change) : lineOf(change)}\n`);
      before = String(items.at(-1)?.id);
      if (!isMore) return;
    }
  },
};
