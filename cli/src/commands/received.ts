import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { pullReceived } from '../received-pull.ts';

export const received = {
  usage: `pergamin received pull --to FOLDER
    Fetches the sent documents that have not been acknowledged yet: FOLDER/<id>.pdf as it was sent, and FOLDER/<id>.json with whose it is, its
    category and what was found in it. Each is acknowledged when its checksum is right and it lies on the disk; its sender is told then.
    Can be broken off and repeated at any time. What could not be fetched is named on standard error; then the exit code is 1.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, { options: { to: { type: 'string' } }, usage: received.usage });
    const [verb, ...more] = positionals;
    if (verb !== 'pull' || typeof values.to !== 'string' || values.to === '' || more.length > 0) throw new UsageError(received.usage);
    const { pulled, present, failed } = await pullReceived({
      connection,
      folder: values.to,
      onFailed: (id, reason) => void process.stderr.write(`${id}: ${reason}\n`),
    });
    process.stdout.write(`pulled ${pulled}, already there ${present}, failed ${failed}\n`);
    if (failed > 0) throw new RefusedError(failed === 1 ? '1 document could not be pulled' : `${failed} documents could not be pulled`);
  },
};
