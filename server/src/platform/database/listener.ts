import { randomUUID } from 'node:crypto';
import type { Client, ClientConfig, Pool } from 'pg';
import type { DatabaseLog } from './connection.ts';
import type { Outage } from '#platform/log/outages.ts';
import { clientWithDeadline } from './deadline.ts';
import { watchedClient } from './watched-client.ts';

export interface Subscriber {
  /** A payload that this or another process notified; it arrives when the notifying transaction commits. */
  onMessage(payload: string): void;
  /** Whether messages arrive from now on. While they do not, some may have been missed. */
  onLive(isLive: boolean): void;
}

/** Subscribes to a channel (a plain word), on a connection of its own that is renewed whenever it breaks, until the database is closed. */
export type Listen = (channel: string, subscriber: Subscriber) => void;

const RETRY_AFTER_MS = 1_000;
const GOODBYE_TIMEOUT_MS = 1_000;
/** A heartbeat: without it a broken connection would look like one without notifications. */
const BEAT_EVERY_MS = 5_000;
const PatientClient = clientWithDeadline(3_000);
/** Prefix of the messages by which a listener verifies that it receives; listeners of other processes ignore them. */
const GREETING = 'listening ';

const hangUp = async (client: Client): Promise<void> => {
  // One whose other side has vanished never ends.
  const timer = setTimeout(() => client.connection.stream.destroy(), GOODBYE_TIMEOUT_MS);
  try {
    await client.end();
  } catch {
    // It had broken already.
  } finally {
    clearTimeout(timer);
  }
};

interface Options {
  readonly config: ClientConfig;
  /** Of other connections to the same database. */
  readonly pool: Pool;
  readonly log: DatabaseLog;
  readonly outage: Outage;
  readonly beatEveryMs?: number | undefined;
}

interface Listener {
  readonly listen: Listen;
  readonly close: () => Promise<void>;
}

export const createListener = ({ config, pool, log, outage, beatEveryMs = BEAT_EVERY_MS }: Options): Listener => {
  const ListeningClient = watchedClient(PatientClient, outage);
  const open = new Set<Client>();
  const waiting = new Set<NodeJS.Timeout>();
  let isClosed = false;

  const listenAgain: Listen = (channel, subscriber) => {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      listen(channel, subscriber);
    }, RETRY_AFTER_MS);
    waiting.add(timer);
  };

  const listen: Listen = (channel, subscriber) => {
    if (isClosed) return;
    const client = new ListeningClient({ ...config, application_name: 'pergamin-listener' });
    const greeting = GREETING + randomUUID();
    let isLive = false;
    let isLost = false;
    const beat = setInterval(() => {
      // The events below report the outcome.
      if (isLive) client.query('select').catch(() => undefined);
    }, beatEveryMs).unref();
    const lose = (error?: Error): void => {
      if (isLost) return;
      isLost = true;
      clearInterval(beat);
      open.delete(client);
      if (isLive) subscriber.onLive(false);
      if (isClosed) return;
      log.warn({ err: error, channel }, 'the connection that listens to the database broke');
      listenAgain(channel, subscriber);
      void hangUp(client);
    };
    open.add(client);
    client.on('error', lose);
    client.on('end', () => lose());
    client.on('notification', ({ payload = '' }) => {
      if (isLost) return;
      if (payload === greeting) {
        isLive = true;
        subscriber.onLive(true);
      } else if (!payload.startsWith(GREETING)) subscriber.onMessage(payload);
    });
    begin(client, { pool, channel, greeting }).catch(lose);
  };

  return {
    listen,
    async close() {
      isClosed = true;
      for (const timer of waiting) clearTimeout(timer);
      await Promise.all(Array.from(open, hangUp));
    },
  };
};

const begin = async (client: Client, { pool, channel, greeting }: { pool: Pool; channel: string; greeting: string }): Promise<void> => {
  await client.connect();
  await client.query(`listen ${channel}`);
  // A connection pooler in transaction mode may accept LISTEN and deliver nothing: the listener is ready once its greeting arrives.
  await pool.query('select pg_notify($1, $2)', [channel, greeting]);
};
