import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnswerOf,
  type CallInput,
  type CallName,
  calls,
  type ClientRecord,
  type ErrorBody,
  type Publication,
  publisherScopes,
  type PublisherScope,
  requestOf,
} from '@pergamin/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { openPortal, type Portal } from '#app/portal.ts';
import { type Clock, systemClock } from '#platform/clock/clock.ts';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import type { DatabaseAddress } from '#platform/database/database.ts';
import type { Database } from '#platform/database/schema.ts';
import type { CallLimits } from '#platform/http/call-limit.ts';
import { type Log, silentLog } from '#platform/log/log.ts';
import { createMetrics, type Metrics } from '#platform/metrics/metrics.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { readSettings, type Settings } from '#platform/settings/settings.ts';
import { openPdfPool, testPdfPool, withoutFirstPages } from './test-pdf-pool.ts';
import { signInThroughIdentity } from './sign-in-as.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

type Input<N extends CallName> = CallInput<(typeof calls)[N]>;
type Headers = Record<string, string | string[] | number | undefined>;

export interface TestAnswer<N extends CallName> {
  readonly status: number;
  readonly headers: Headers;
  /** The answer that the row declares. Throws when it was an error: read `status` or `error` first. */
  readonly body: AnswerOf<(typeof calls)[N]>;
  /** The error's body; undefined when there was none. */
  readonly error: ErrorBody | undefined;
  readonly bytes: Buffer;
}

export interface TestCaller {
  /** Asks through the whole HTTP stack, typed by the contract. */
  call<N extends CallName>(name: N, input: Input<N>, headers?: Record<string, string>): Promise<TestAnswer<N>>;
}

export interface TestClient extends TestCaller {
  readonly personalId: string;
  readonly token: string;
  readonly cookie: string;
}

export interface TestPortal extends AsyncDisposable {
  readonly server: FastifyInstance;
  readonly db: Kysely<Database>;
  readonly pool: pg.Pool;
  readonly settings: Settings;
  /** For another process of the same portal. */
  readonly databaseUrl: string;
  /** Of the database: may do what the portal itself must not. */
  readonly owner: TestDatabase['owner'];
  readonly metrics: Metrics;
  readonly keys: Portal['keys'];
  readonly accounts: Portal['accounts'];
  /** Runs with the machine's clock; `advance` moves it forward. */
  readonly clock: Clock & { advance(ms: number): void };
  readonly anonymous: TestCaller;
  /** With a key that holds every scope. */
  readonly publisher: TestCaller;
  readonly publisherKey: string;
  issueKey(scopes: readonly PublisherScope[]): Promise<string>;
  /** A publisher who may do only this. */
  withKey(scopes: readonly PublisherScope[]): Promise<TestCaller>;
  /** Creates the person when the id is unknown, accepts the statute when asked to. The password is `password` of this module. */
  signIn(personalId: string, person?: Partial<ClientRecord>): Promise<TestClient>;
  addClient(personalId: string, person?: Partial<ClientRecord>): Promise<void>;
  publish(description: Partial<Publication> & { pdf: Uint8Array }): Promise<TestAnswer<'publishDocument'>>;
  publishStatute(description: {
    version: string;
    effectiveFrom?: number;
    changes?: string;
    pdf: Uint8Array;
  }): Promise<TestAnswer<'publishStatute'>>;
  /** Does at once what the worker does now and then. */
  runJob(name: string, payload?: object): Promise<void>;
}

export const password = 'Correct-horse-7';

/** It would be read at each start; pages are tested beside `web-pages.ts`, and built ones by the journeys. */
const noWebClient = join(import.meta.dirname, 'no-web-client');

const createCaller = (server: FastifyInstance, host: string, standing: Record<string, string>): TestCaller => ({
  async call(name, input, headers = {}) {
    const { path, init } = requestOf(calls[name], input);
    const request = new Request(new URL(path, `http://${host}`), init);
    const contentType = request.headers.get('content-type');
    const response = await server.inject({
      method: calls[name].method,
      url: path,
      headers: { host, ...(contentType === null ? {} : { 'content-type': contentType }), ...standing, ...headers },
      ...(request.body === null ? {} : { payload: Buffer.from(await request.arrayBuffer()) }),
    });
    const isError = response.statusCode >= 400;
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes: response.rawPayload,
      error: isError && response.body !== '' ? response.json<ErrorBody>() : undefined,
      get body() {
        if (isError) throw new Error(`${name} was answered ${response.statusCode}: ${response.body}`);
        return (response.body === '' ? undefined : response.json()) as AnswerOf<(typeof calls)[typeof name]>;
      },
    };
  },
});

const createMovableClock = (): TestPortal['clock'] => {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance(ms) {
      aheadMs += ms;
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

const aClient = (personalId: string): ClientRecord => ({
  personalId,
  cif: `cif-${personalId}`,
  firstName: 'Anna',
  lastName: 'Nowak',
  initialPassword: password,
});

/** A second process of the same portal, as far as it can tell, on the same database and folder. */
export const openBeside = (portal: Pick<TestPortal, 'settings' | 'databaseUrl' | 'owner'>): Promise<Portal> =>
  openPortal({
    settings: portal.settings,
    log: silentLog(),
    clock: systemClock,
    address: { url: portal.databaseUrl },
    migrationAddress: { connection: portal.owner.connection },
    metrics: createMetrics(),
    crontab: '',
    webClient: noWebClient,
    pdf: withoutFirstPages(testPdfPool()),
  });

const openPool = ({ log, drawsFirstPages }: { log: Log | undefined; drawsFirstPages: boolean }): PdfPool => {
  const pool = log === undefined ? testPdfPool() : openPdfPool(log);
  return drawsFirstPages ? pool : withoutFirstPages(pool);
};

/**
 * The whole portal in this process, on a database and a data folder of its own; nothing of it is replaced but the clock, and no job runs by the
 * minute. First pages are prefetched for tests that ask for it.
 */
export const startTestPortal = async (
  options: {
    environment?: Record<string, string>;
    log?: Log;
    limits?: CallLimits;
    /** Cheap, unless the test measures the cost of a password. */
    passwordCost?: { readonly memoryKiB: number; readonly passes: number };
    /** Prefetches the first page of each publication, as with RENDER_WORKERS or FONT_DIR always. Left out: one is drawn when a client asks for it. */
    drawsFirstPages?: boolean;
    /** Another way to the same database. */
    route?: (connection: DatabaseConnection) => Promise<DatabaseAddress>;
  } = {},
): Promise<TestPortal> => {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-portal-'));
  const passwordCost = options.passwordCost ?? { memoryKiB: 1_024, passes: 1 };
  const read = readSettings({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://localhost:8080',
    DEMO: 'off',
    LOG_LEVEL: 'silent',
    // How full the machine's disk is must decide no test.
    DISK_RESERVE_PERCENT: '0',
    // One client sends for all tests of a file.
    SENDING_FILES_PER_SESSION: '1000',
    ...options.environment,
  });
  // No setting of operators, but one that identity takes.
  const settings = { ...read, passwordCost };
  const hasPoolOfItsOwn = settings.fontDir !== undefined || settings.renderWorkers !== undefined;
  const clock = createMovableClock();
  const metrics = createMetrics();
  const portal: Portal = await openPortal({
    settings,
    log: options.log ?? silentLog(),
    clock,
    address: (await options.route?.(database.connection)) ?? { connection: database.connection },
    migrationAddress: { connection: database.owner.connection },
    metrics,
    // A round that begins by itself holds what the round of a test then skips.
    crontab: '',
    webClient: noWebClient,
    pdf: hasPoolOfItsOwn ? undefined : openPool({ log: options.log, drawsFirstPages: options.drawsFirstPages === true }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const { server } = portal;
  const { host } = settings.publicUrl;
  const publisherKey = await portal.keys.issue({ name: 'tests', scopes: publisherScopes });
  const issueKey: TestPortal['issueKey'] = (scopes) => portal.keys.issue({ name: 'tests', scopes });
  const publisher = createCaller(server, host, { authorization: `Bearer ${publisherKey}` });

  const addClient: TestPortal['addClient'] = async (personalId, person = {}) => {
    const added = await publisher.call('upsertClients', { body: { items: [{ ...aClient(personalId), ...person }] } });
    if (added.error !== undefined) throw new Error(JSON.stringify(added.error));
  };

  return {
    server,
    db: portal.db,
    pool: portal.pool,
    settings,
    databaseUrl: database.url,
    owner: database.owner,
    metrics,
    keys: portal.keys,
    accounts: portal.accounts,
    clock,
    publisher,
    publisherKey,
    issueKey,
    withKey: async (scopes) => createCaller(server, host, { authorization: `Bearer ${await issueKey(scopes)}` }),
    anonymous: createCaller(server, host, {}),
    addClient,
    async signIn(personalId, person) {
      const known = await portal.db.selectFrom('client').select('cif').where('personal_id', '=', personalId).executeTakeFirst();
      if (known === undefined) await addClient(personalId, person);
      const { token, cookie } = await signInThroughIdentity(server, { personalId, password, host });
      return { personalId, token, cookie, ...createCaller(server, host, { authorization: token, cookie }) };
    },
    publish: ({ pdf, ...description }) =>
      publisher.call('publishDocument', { form: formOf({ type: 'PRIVATE', fileName: 'Umowa.pdf', metadata: {}, ...description }, pdf) }),
    publishStatute: ({ pdf, ...description }) => publisher.call('publishStatute', { form: formOf(description, pdf) }),
    async runJob(name, payload = {}) {
      const handle = portal.handlers[name];
      if (handle === undefined) throw new Error(`there is no job ${name}`);
      await handle(payload, new AbortController().signal);
    },
    async [Symbol.asyncDispose]() {
      await portal.close();
      await database[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
