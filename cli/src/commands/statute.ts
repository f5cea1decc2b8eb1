import { basename } from 'node:path';
import { calls } from '@pergamin/contract';
import { openPdf, readArguments, readMoment } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';

/** `2027-01-01 00:00 (Europe/Warsaw)`: the day that clients are told. */
const momentIn = (timeZone: string, moment: number): string =>
  `${new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(moment)} (${timeZone})`;

export const statute = {
  usage: `pergamin statute publish FILE.pdf --version VERSION [--effective-from MOMENT] [--changes TEXT]
    Publishes a version of the terms. Every client is asked to accept it from that moment on (at once when left out), which is written
    like 2027-01-01T00:00:00+01:00 and answered in the time zone of the organisation. Of the nearest
    version ahead clients are told when they sign in, with what --changes says; who accepts it before its day is not asked again.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, {
      options: { version: { type: 'string' }, 'effective-from': { type: 'string' }, changes: { type: 'string' } },
      usage: statute.usage,
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
        ...(effectiveFrom === undefined ? {} : { effectiveFrom: readMoment('--effective-from', effectiveFrom) }),
      }),
    );
    form.set('file', await openPdf(path), basename(path));
    const published = await connection.call(calls.publishStatute, { form });
    process.stdout.write(
      `${published.repeated ? 'already published' : 'published'} ${published.id}\n  version ${published.version}, in force from ${momentIn(published.timeZone, published.effectiveFrom)}\n`,
    );
  },
};
