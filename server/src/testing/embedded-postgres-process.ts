import { once } from 'node:events';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { silentLog } from '#platform/log/log.ts';

/*
 * A program for tests: starts the embedded PostgreSQL on the folder that its first argument names (its second: the state folder), prints `{ pid, connection }` as a line of JSON,
 * and stops it when stdin ends. A refusal is printed as `{ refused }` with the error's name and message.
 */
try {
  const [, , dataDir = '', stateFolder] = process.argv;
  const { pid, connection, stop } = await startEmbeddedPostgres({
    dataDir,
    log: silentLog(),
    ...(stateFolder === undefined ? {} : { stateFolder }),
  });
  process.stdout.write(`${JSON.stringify({ pid, connection })}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
  await stop();
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: String(error) })}\n`);
}
