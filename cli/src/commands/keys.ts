import { publisherScopes } from '@pergamin/contract';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { publisherKeysPath } from '../server-program.ts';

const options = {
  name: { type: 'string' },
  scopes: { type: 'string' },
  expires: { type: 'string' },
  overlap: { type: 'string' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

interface Words {
  readonly needed: readonly string[];
  readonly allowed: readonly string[];
  /** How many words stand behind the verb. */
  readonly words: 0 | 1;
}

const verbs: Readonly<Record<string, Words>> = {
  issue: { needed: ['name', 'scopes'], allowed: ['expires'], words: 0 },
  list: { needed: [], allowed: ['json'], words: 0 },
  rotate: { needed: [], allowed: ['overlap'], words: 1 },
  revoke: { needed: [], allowed: ['yes'], words: 1 },
};

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const readOverlap = (text: string): number => {
  const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit] ?? Number.NaN);
  if (Number.isNaN(ms)) throw new UsageError(`--overlap ${text}: write minutes, hours or days like 30m, 24h or 7d`);
  return ms;
};

/** The day or the moment itself is judged by the portal's calendar. */
const assertExpiry = (text: string): void => {
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(text))
    throw new UsageError(`--expires ${text}: write a day like 2027-01-31, or a moment like 2027-01-31T12:00:00+01:00`);
};

export const keys = {
  usage: `pergamin keys issue --name NAME --scopes SCOPE,SCOPE [--expires yyyy-mm-dd]
    Makes a key for a publisher and writes it to standard output, this once and nothing else. It may make the calls of
    its scopes: ${publisherScopes.slice(0, 4).join(', ')},
    ${publisherScopes.slice(4).join(', ')}.
    --expires is the last day on which it works, or a moment with its offset from UTC.

pergamin keys list [--json]
    Every key with its name, id, scopes, issue, expiry, last use (to the minute) and end; never the key itself.

pergamin keys rotate ID [--overlap 24h]
    Makes a successor with the same name, scopes and lifetime, and writes it as issue does. The former key works until
    the overlap is over (minutes, hours or days: 30m, 24h, 7d; 0m ends it at once).

pergamin keys revoke ID [--yes]
    Ends a key at once, in every process of the portal and for publications under way. Asks first, unless --yes is given.

    All four work on the database of the portal, beside it or while it is stopped: run them on its machine, with its
    settings (DATA_DIR, DATABASE_URL), as its user or as root. Who did it is recorded.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options, usage: keys.usage });
    const [verb = '', ...words] = positionals;
    const fit = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    const given = Object.keys(values);
    const isFit =
      fit !== undefined &&
      words.length === fit.words &&
      fit.needed.every((name) => given.includes(name)) &&
      given.every((name) => fit.needed.includes(name) || fit.allowed.includes(name));
    if (!isFit) throw new UsageError(keys.usage);
    const { overlap = '24h', ...others } = values;
    if (others.expires !== undefined) assertExpiry(others.expires);
    const flags = Object.entries(others).map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`));
    const overlapMs = verb === 'rotate' ? [`--overlap-ms=${readOverlap(overlap)}`] : [];
    await runServerProgram(publisherKeysPath, [...positionals, ...flags, ...overlapMs]);
  },
};
