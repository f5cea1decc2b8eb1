import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Call, type CallInput, calls, publisherScopes, requestOf } from '@pergamin/contract';
import { demoStatutes } from '@pergamin/tools/demo';
import { openPortal } from '../../server/src/app/portal.ts';
import { systemClock } from '../../server/src/platform/clock/clock.ts';
import type { DatabaseConnection } from '../../server/src/platform/database/connection.ts';
import { openDatabase } from '../../server/src/platform/database/database.ts';
import { createLog, silentLog } from '../../server/src/platform/log/log.ts';
import { createMetrics } from '../../server/src/platform/metrics/metrics.ts';
import { readSettings } from '../../server/src/platform/settings/settings.ts';
import { portOf } from '../../server/src/testing/raw-http.ts';
import { signInThroughIdentity } from '../../server/src/testing/sign-in-as.ts';
import { withoutLimits } from '../../server/src/testing/without-limits.ts';
import { say } from '../program.ts';

interface Opened {
  readonly connection: DatabaseConnection;
  readonly dataDir: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** Left out: that of the product. */
  readonly crontab?: string;
}

type Person = { readonly personalId: string; readonly password: string };

/** Seeded documents are rows without objects: a start would not take this folder for theirs, nor go on without the key of the folder before. */
const pairWithFolder = async ({ connection, dataDir }: Opened): Promise<void> => {
  const { pool, close } = openDatabase({ connection, maxConnections: 1, log: silentLog() });
  try {
    const { rows } = await pool.query<{ is_there: boolean }>(`select to_regclass('installation') is not null as is_there`);
    if (rows[0]?.is_there !== true) return;
    await pool.query('delete from encryption_object_key');
    await pool.query('delete from encryption_client_key');
    const id = randomUUID();
    await pool.query(
      `insert into installation (name, value) values ('object-store-id', $1) on conflict (name) do update set value = excluded.value`,
      [id],
    );
    await mkdir(join(dataDir, 'objects'), { recursive: true });
    await writeFile(join(dataDir, 'objects', 'store-id'), id);
  } finally {
    await close();
  }
};

/** The product itself on a database that is given, without demonstration data, and what programs do with it. */
export const openBenchPortal = async ({ connection, dataDir, settings: given = {}, crontab }: Opened) => {
  await mkdir(dataDir, { recursive: true });
  await pairWithFolder({ connection, dataDir });
  const settings = readSettings({ DATA_DIR: dataDir, DEMO: 'off', TRUSTED_PROXIES: '127.0.0.1', ...given });
  const portal = await openPortal({
    settings,
    log: createLog(settings.logLevel),
    clock: systemClock,
    address: { connection },
    metrics: createMetrics(),
    limits: withoutLimits,
    ...(crontab === undefined ? {} : { crontab }),
  });
  const { server, pool } = portal;
  const { host } = settings.publicUrl;
  const key = await portal.keys.issue({ name: 'bench', scopes: publisherScopes });

  const publish = async <C extends Call>(call: C, input: CallInput<C>): Promise<unknown> => {
    const { path, init } = requestOf(call, input);
    const request = new Request(new URL(path, settings.publicUrl), init);
    const answer = await server.inject({
      method: call.method,
      url: path,
      headers: { host, authorization: `Bearer ${key}`, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    if (answer.statusCode >= 300) throw new Error(`${call.name} was answered ${answer.statusCode}: ${answer.body}`);
    return answer.statusCode === 204 ? undefined : answer.json();
  };

  return {
    server,
    pool,
    key,
    publish,
    publisherHeaders: { host, authorization: `Bearer ${key}` },
    publishStatute: async (): Promise<void> => {
      const statute = demoStatutes({ seed: 1, today: new Date('2026-11-20T12:00:00Z') })[0];
      if (statute === undefined) throw new Error('the demonstration has no statute');
      await publish(calls.publishStatute, { form: formOf({ version: '1' }, await statute.pdf()) });
    },
    close: (): Promise<void> => portal.close(),
    /** Signs in; what each call of this person is to bring. */
    headersOf: async ({ personalId, password }: Person) => {
      const { token, cookie } = await signInThroughIdentity(server, { personalId, password, host });
      return { host, authorization: token, cookie };
    },
    /** Listens, says its port and what else there is to say, and ends with its input. */
    serve: async (said: object): Promise<void> => {
      await server.listen({ host: '127.0.0.1', port: 0 });
      say({ port: portOf(server.server), ...said });
      process.stdin.resume();
      await once(process.stdin, 'end');
      await portal.close();
    },
  };
};

/** What a call takes that publishes something: a description, and the file. */
export const formOf = (description: object, pdf: Uint8Array): FormData => {
  const form = new FormData();
  form.set('description', JSON.stringify(description));
  form.set('file', new Blob([Uint8Array.from(pdf)], { type: 'application/pdf' }), 'document.pdf');
  return form;
};
