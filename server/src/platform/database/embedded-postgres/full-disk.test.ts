import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { mountSmallDisk } from '#testing/small-disk.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const disk = await mountSmallDisk(160);
afterAll(() => disk?.[Symbol.asyncDispose]());

test.skipIf(disk === undefined)(
  'a database on a full disk refuses what needs room, and takes it again when there is some, with everything that it acknowledged',
  { timeout: 180_000 },
  async () => {
    const folder = disk?.folder ?? '';
    const exits: Error[] = [];
    const { connection, stop } = await startEmbeddedPostgres({
      dataDir: join(folder, 'data'),
      stateFolder: join(folder, 'state'),
      log: silentLog(),
      onUnexpectedExit: (error) => exits.push(error),
    });
    /** The first value, or the code of the refusal. */
    const ask = async (text: string): Promise<unknown> => {
      const client = new Client({ ...connection });
      // Some of these end with the database.
      client.on('error', () => {});
      try {
        await client.connect();
        const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
        return rows[0]?.[0] ?? 'done';
      } catch (error) {
        return error instanceof Error && 'code' in error ? error.code : String(error);
      } finally {
        await client.end();
      }
    };
    expect(await ask('create table paper as select 1 as number')).toBe('done');

    await disk?.fillTo(0);
    expect(await ask('insert into paper select generate_series(1, 100000)')).toBe('53100');
    expect(await ask('select count(*)::int from paper')).toBe(1);
    // More than its log has room for; each time it recovers from that it is asked again, until it cannot.
    const writeLog = async (): Promise<number> => {
      if (exits.length === 0) await ask("select pg_logical_emit_message(false, 'test', repeat('x', 3000000))::text");
      return exits.length;
    };
    await expect.poll(writeLog, { timeout: 60_000 }).toBe(1);
    expect(exits[0]?.message).toContain('No space left on device');

    await disk?.empty();
    await expect.poll(() => ask('select count(*)::int from paper'), { timeout: 60_000 }).toBe(1);
    expect(await ask('insert into paper values (2) returning number')).toBe(2);
    await stop();
  },
);
