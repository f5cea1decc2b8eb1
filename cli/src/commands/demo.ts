import { calls } from '@pergamin/contract';
import type { Connection } from '../connection.ts';
import { UsageError } from '../errors.ts';

export const demo = {
  usage: `pergamin demo remove
    Removes the demonstration people, documents and statutes, and nothing else.`,

  async run(connection: Connection, args: string[]): Promise<void> {
    if (args.length !== 1 || args[0] !== 'remove') throw new UsageError(demo.usage);
    const removed = await connection.call(calls.removeDemo, {});
    process.stdout.write(`removed ${removed.clients} clients, ${removed.documents} documents, ${removed.statutes} statutes\n`);
  },
};
