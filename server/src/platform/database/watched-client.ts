import type { Client, ClientConfig } from 'pg';
import type { Outage } from '#platform/log/outages.ts';
import { isServerAway } from './unavailable.ts';

/** Connections that tell an outage when they cannot be made or break, and its end when one is made. */
export const watchedClient = (Base: typeof Client, outage: Outage): typeof Client =>
  class extends Base {
    constructor(config?: string | ClientConfig) {
      super(config);
      const { connection } = this;
      connection.on('error', (error: unknown) => outage.failed(error));
      connection.on('errorMessage', (error: unknown) => {
        if (isServerAway(error)) outage.failed(error);
      });
      connection.once('end', () => {
        // Set by pg where we have ended it ourselves.
        if (Reflect.get(connection, '_ending') !== true) outage.failed(new Error('Connection terminated unexpectedly'));
      });
      connection.once('readyForQuery', () => outage.worked());
    }
  };
