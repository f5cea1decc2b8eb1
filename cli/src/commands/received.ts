import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { onOneLine } from '../one-line.ts';
import { pullReceived } from '../received-pull.ts';

export const received = {
  usage: `pergamin received pull --to FOLDER
    Fetches the sent documents that have not been acknowledged yet: FOLDER/<id>.pdf as it was sent, and FOLDER/<id>.json with whose it is, its
    category and what was found in it. Each is acknowledged when its checksum is right and it lies on the disk; its sender is told then.
    Can be broken off and repeated at any time, one at a time in a folder. What could not be fetched or acknowledged is named on standard error, and the
    others come through; then the exit code is 1.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { to: { type: 'string' } }, usage: received.usage });
    const [verb, ...more] = positionals;
    if (verb !== 'pull' || typeof values.to !== 'string' || values.to === '' || more.length > 0) throw new UsageError(received.usage);
    const counts = { pulled: 0, present: 0, failed: 0 };
    try {
      await pullReceived({
        connection,
        folder: values.to,
        counts,
        onFailed: (id, reason) => void process.stderr.write(`${onOneLine(id)}: ${reason}\n`),
      });
    } finally {
      process.stdout.write(`pulled ${counts.pulled}, already there ${counts.present}, failed ${counts.failed}\n`);
    }
    const { failed } = counts;
    if (failed > 0) throw new RefusedError(failed === 1 ? '1 document could not be pulled' : `${failed} documents could not be pulled`);
  },
};
