import { DatabaseError, type QueryResult, type QueryResultRow } from 'pg';
import { expect, test } from 'vitest';
import { createReadPool, type QueryPool } from './read-pool.ts';

const failing = (code: string): Error => Object.assign(new DatabaseError('refused', 1, 'error'), { code });

/** Answers with its name, or with the fault that it has at the moment. */
const createPool = (name: string) => {
  const state: { fault: Error | undefined; asked: number } = { fault: undefined, asked: 0 };
  const pool: QueryPool = {
    async query<Row extends QueryResultRow>() {
      state.asked += 1;
      if (state.fault !== undefined) throw state.fault;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return { rows: [{ name }] } as unknown as QueryResult<Row>;
    },
  };
  return { pool, state };
};

const setUp = (probeEveryMs: number) => {
  const [primary, replica] = [createPool('primary'), createPool('replica')];
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (_fields: unknown, message?: string) => void warnings.push(message ?? '') };
  const pool = createReadPool({ primary: primary.pool, replica: replica.pool, log, probeEveryMs });
  const ask = async (): Promise<unknown> => (await pool.query<{ name: string }>('select')).rows[0]?.name;
  return { primary, replica, warnings, ask };
};

test.each([
  ['that stopped', failing('57P01')],
  ['whose recovery cancelled the statement', failing('40001')],
  ['that refuses the password', failing('28P01')],
  ['that has not replayed a migration yet', failing('42P01')],
  ['that cannot be reached', Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' })],
])('a replica %s is left out, the primary answers the same statement, and one warning is logged', async (_what, fault) => {
  const { replica, warnings, ask } = setUp(60_000);
  expect(await ask()).toBe('replica');
  replica.state.fault = fault;
  expect([await ask(), await ask()]).toEqual(['primary', 'primary']);
  expect(warnings).toHaveLength(1);
  expect(replica.state.asked).toBe(2);
});

test('a replica that answers again is used again', async () => {
  const { replica, ask } = setUp(0);
  replica.state.fault = failing('57P03');
  expect(await ask()).toBe('primary');
  replica.state.fault = undefined;
  await expect.poll(ask).toBe('replica');
});

test.each(['57014', '22001', '42601'])('a statement that fails with %s is not repeated on the primary', async (code) => {
  const { primary, replica, ask } = setUp(0);
  replica.state.fault = failing(code);
  await expect(ask()).rejects.toBe(replica.state.fault);
  expect(primary.state.asked).toBe(0);
});
