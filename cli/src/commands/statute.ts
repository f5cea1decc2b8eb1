import { basename } from 'node:path';
import { calls } from '@pergamin/contract';
import { openPdf, readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';

const readMoment = (text: string): number => {
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw new UsageError(`--effective-from ${text}: write a moment like 2027-01-01T00:00:00+01:00`);
  return moment;
};

export const statute = {
  usage: `pergamin statute publish FILE.pdf --version VERSION [--effective-from MOMENT] [--changes TEXT]
    Publishes a version of the terms. Every client is asked to accept it from that moment on (at once when left out). Of the nearest
    version ahead clients are told when they sign in, with what --changes says; who accepts it before its day is not asked again.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, {
      version: { type: 'string' },
      'effective-from': { type: 'string' },
      changes: { type: 'string' },
    });
    const [verb, path, ...more] = positionals;
    if (verb !== 'publish' || path === undefined || values.version === undefined || more.length > 0) throw new UsageError(statute.usage);
    const form = new FormData();
    const effectiveFrom = values['effective-from'];
    form.set(
      'description',
      JSON.stringify({
        version: values.version,
        changes: values.changes,
        ...(effectiveFrom === undefined ? {} : { effectiveFrom: readMoment(effectiveFrom) }),
      }),
    );
    form.set('file', await openPdf(path), basename(path));
    const published = await connection.call(calls.publishStatute, { form });
    process.stdout.write(
      `${published.repeated ? 'already published' : 'published'} ${published.id}\n  version ${published.version}, in force from ${new Date(published.effectiveFrom).toISOString()}\n`,
    );
  },
};
