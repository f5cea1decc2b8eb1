import { AsyncLocalStorage } from 'node:async_hooks';
import { Client, type ClientConfig } from 'pg';

/** An open connection got no answer: the server is frozen, or a device on the way has dropped the connection. */
export class DatabaseSilentError extends Error {
  override readonly name = 'DatabaseSilentError';
}

const lifted = new AsyncLocalStorage<true>();

/** No deadline for the statements of `work`: for migrations, and for statements that lift the server's own timeout. */
export const withoutDeadline = <Result>(work: () => Promise<Result>): Promise<Result> => lifted.run(true, work);

/**
 * Connections that are destroyed when a statement is not answered in time, so that the waiting caller gets an error and the pool hands
 * the connection to no other.
 * @NOTE pg's own `query_timeout` only stops waiting: the connection stays busy, and a transaction's `rollback` would wait behind it.
 */
export const clientWithDeadline = (deadlineMs: number): typeof Client =>
  class extends Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      let timer: NodeJS.Timeout | undefined;
      const clear = (): void => {
        clearTimeout(timer);
        timer = undefined;
      };
      const giveUp = (): void => {
        this.connection.stream.destroy(new DatabaseSilentError(`the database gave no answer within ${deadlineMs} ms`));
      };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/unbound-method -- it takes what `query` takes, and is applied to this client
      const ask = (values: unknown[]): unknown => Reflect.apply(Client.prototype.query as (...given: unknown[]) => unknown, this, values);
      const askInTime = (...values: unknown[]): unknown => {
        if (lifted.getStore() === true) clear();
        else timer ??= setTimeout(giveUp, deadlineMs).unref();
        return ask(values);
      };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it takes and gives what `query` does
      this.query = askInTime as typeof this.query;
      this.connection.on('readyForQuery', () => timer?.refresh());
      this.on('drain', clear);
      this.on('end', clear);
    }
  };
