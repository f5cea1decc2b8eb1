import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { runServerProgram } from '../run-server-program.ts';
import { mailQueuePath } from '../server-program.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const mail = {
  usage: `pergamin mail list [--json]
    Mail that waits, is being sent or was given up, the oldest first: id, state, kind, masked address, attempts with the last
    error in words, the next attempt, and until when its link works. Never the words of a mail. Says how many notices wait, too.

pergamin mail retry [ID|--failed] [--json]
    Makes mail due at once: all that waits, with waiting notices by mail; the one with this id; or --failed, all that was
    given up and can still be sent. What has an expired link is not sent.

    Both work beside the portal, which sends what is due, or while it is stopped: run them on its machine, with its settings
    (DATA_DIR, DATABASE_URL), as its user or as root.`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const options = { json: { type: 'boolean' }, failed: { type: 'boolean' } } as const;
    const { values, positionals } = readArguments(args, { options, usage: mail.usage });
    const [verb = '', id, ...more] = positionals;
    const isList = verb === 'list' && id === undefined && values.failed !== true;
    const isRetry = verb === 'retry' && (id === undefined || values.failed !== true);
    if (more.length > 0 || !(isList || isRetry)) throw new UsageError(mail.usage);
    if (id !== undefined && !uuid.test(id)) throw new UsageError(`${id} is no id of a mail; see pergamin mail list`);
    const flags = [...(values.json === true ? ['--json'] : []), ...(values.failed === true ? ['--failed'] : [])];
    await runServerProgram(mailQueuePath, [...positionals, ...flags]);
  },
};
