/** `name` stands for this one text everywhere, and has at most 63 bytes. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * One more column of what a statement gives, with which its commit is not waited for until it is on the disk: that is most of the work of a
 * small one. It is for the steps on the way to a session: all of them are in one log, so whoever makes the session, and waits for that, has
 * waited for them. A crash before may undo the last half of a second of them, and somebody begins to sign in once more.
 */
export const unhurried = `set_config('synchronous_commit', 'off', true) as unhurried`;

/** What this package needs of a pool of connections; that of `pg` is one. */
export interface StatementPool {
  query(statement: Statement & { values: unknown[] }): Promise<{ rows: unknown[]; rowCount: number | null }>;
}

/**
 * The few statements that every sign-in runs: each connection reads and plans them once, and nobody puts them together anew. Outside of any
 * transaction.
 */
export interface Statements {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the text says what its rows are, and nothing else can
  run<Row = never>(statement: Statement, values: readonly unknown[]): Promise<{ readonly rows: readonly Row[]; readonly changed: number }>;
}

export const createStatements = (pool: StatementPool): Statements => ({
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  async run<Row>({ name, text }: Statement, values: readonly unknown[]) {
    const { rows, rowCount } = await pool.query({ name, text, values: [...values] });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller knows what its own text asks for
    return { rows: rows as Row[], changed: rowCount ?? 0 };
  },
});
