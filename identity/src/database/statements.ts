/** A prepared statement: `name` means this one text everywhere, and has at most 63 bytes. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * A column for a statement's result that makes its commit asynchronous: the answer does not wait for the disk. For the steps on the way to a
 * session, whose own commit is synchronous and flushes them all. A crash before it may undo the last half second: the person signs in again.
 */
export const asyncCommit = `set_config('synchronous_commit', 'off', true) as async_commit`;

/** What this package needs of a pool of connections; that of `pg` is one. */
export interface StatementPool {
  query(statement: Statement & { values: unknown[] }): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

/**
 * The few statements that every sign-in runs: each connection parses and plans them once, and no query is built again. Outside of any
 * transaction.
 */
export interface Statements {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the text determines its rows
  run<Row = never>(statement: Statement, values: readonly unknown[]): Promise<{ readonly rows: readonly Row[]; readonly changed: number }>;
}

export const createStatements = (pool: StatementPool): Statements => ({
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  async run<Row>({ name, text }: Statement, values: readonly unknown[]) {
    const { rows, rowCount } = await pool.query({ name, text, values: [...values] });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller knows the rows of its own text
    return { rows: rows as Row[], changed: rowCount ?? 0 };
  },
});
