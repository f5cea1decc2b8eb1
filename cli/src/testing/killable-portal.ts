import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type CallName, calls } from '@pergamin/contract';
import { type PortalProcess, startPortalProcess } from '@pergamin/server/testing/start-portal-process';
import type { TestDatabase } from '@pergamin/server/testing/test-database';
import { portOf } from './run-pergamin.ts';

/** Of a call: before the portal hears of it; when it has half of the body; when it has answered, and its caller has not heard it. */
export const phases = ['asked', 'half', 'answered'] as const;
export interface Moment {
  readonly call: CallName | undefined;
  readonly phase: (typeof phases)[number];
}

/** A portal in a process of its own, which may be killed, behind an address that stays. */
export interface KillablePortal<Kept extends TestDatabase = TestDatabase> extends AsyncDisposable {
  /** Where commands run and find their files. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly database: Kept;
  /** Asked at each moment of each call. True: the caller or the portal has gone, and the connection breaks. */
  isBroken: (moment: Moment) => Promise<boolean>;
  /** kill -9, and another one in its place, for which calls wait. Resolves when the first one is gone. */
  replace(): Promise<void>;
}

const rows = Object.values(calls).map(({ name, method, path }) => ({ name, method, segments: path.split('/') }));
const callOf = ({ method, url = '' }: IncomingMessage): CallName | undefined => {
  const asked = (url.split('?')[0] ?? '').split('/');
  const fits = (segments: readonly string[]): boolean =>
    segments.length === asked.length && segments.every((segment, at) => segment.startsWith(':') || segment === asked[at]);
  return rows.find((row) => row.method === method && fits(row.segments))?.name;
};

type Ask = (phase: Moment['phase']) => Promise<boolean>;

/** Undefined when the connection is to break. */
const forward = async (port: number, asked: IncomingMessage, isBroken: Ask) => {
  const body = await buffer(asked);
  if (await isBroken('asked')) return undefined;
  const { method, url, headers } = asked;
  const passed = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
  const answered = Promise.withResolvers<IncomingMessage>();
  passed.once('response', answered.resolve).once('error', answered.reject);
  // Looked at below; a portal that is killed breaks it earlier.
  answered.promise.catch(() => undefined);
  const half = Math.floor(body.length / 2);
  await new Promise((resolve) => void passed.write(body.subarray(0, half), resolve));
  if (await isBroken('half')) {
    passed.destroy();
    return undefined;
  }
  passed.end(body.subarray(half));
  const answer = await answered.promise;
  const content = await buffer(answer);
  return (await isBroken('answered')) ? undefined : { status: answer.statusCode ?? 0, headers: answer.headers, content };
};

export const startKillablePortal = async <Kept extends TestDatabase>(opening: Promise<Kept>): Promise<KillablePortal<Kept>> => {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-kills-'));
  starting.defer(() => rm(folder, { recursive: true }));
  const database = starting.use(await opening);
  const proxy = createServer((asked, answer) => void pass(asked, answer));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  starting.defer(() => void proxy.close());
  const url = `http://127.0.0.1:${portOf(proxy)}`;
  const settings = { dataDir: join(folder, 'data'), publicUrl: new URL(url) };
  const start = (): Promise<PortalProcess> =>
    startPortalProcess({ databaseUrl: database.url, settings }, { RENDER_WORKERS: '1', FIRST_KEY: '1' });
  let running = start();
  starting.defer(async () => (await running).kill());
  await running;
  const key = await readFile(join(settings.dataDir, 'publisher.key'), 'utf8');

  const portal: Omit<KillablePortal<Kept>, typeof Symbol.asyncDispose> = {
    folder,
    database,
    environment: { PERGAMIN_URL: url, PERGAMIN_KEY: key.trim() },
    isBroken: async () => false,
    async replace() {
      const killed = (await running).kill();
      running = killed.then(start);
      await killed;
    },
  };
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const call = callOf(asked);
    try {
      const { port } = await running;
      const passed = await forward(port, asked, (phase) => portal.isBroken({ call, phase }));
      if (passed === undefined) answer.destroy();
      else answer.writeHead(passed.status, passed.headers).end(passed.content);
    } catch {
      // Of another call that the killed portal had not answered.
      answer.destroy();
    }
  };
  const started = starting.move();
  return Object.assign(portal, { [Symbol.asyncDispose]: () => started.disposeAsync() });
};
