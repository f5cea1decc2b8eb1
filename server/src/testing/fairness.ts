import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type CallInput, type CallName, calls, requestOf } from '@pergamin/contract';
import { isNightly } from './nightly.ts';
import { startPortalProcess } from './start-portal-process.ts';
import type { TestPortal } from './test-portal.ts';

const program = fileURLToPath(new URL('flood-process.ts', import.meta.url));

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes as latin1. */
  readonly body: string;
}

/** A call as it goes over the wire. */
export const askFor = <N extends CallName>(name: N, input: CallInput<(typeof calls)[N]>, headers: Record<string, string>): Asked => {
  const { path, init } = requestOf(calls[name], input);
  const body = typeof init.body === 'string' ? Buffer.from(init.body).toString('latin1') : '';
  const content = body === '' ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) };
  return { method: calls[name].method, path, headers: { host: 'localhost:8080', ...content, ...headers }, body };
};

interface Medians {
  readonly idleMs: number;
  readonly busyMs: number;
}

export interface FairnessHarness extends AsyncDisposable {
  /** Over one of its own connections. */
  ask(asked: Asked): Promise<{ readonly ms: number; readonly status: number }>;
  /**
   * The median time of each of `modest`, alone and while `atOnce` of `greedy` are always in flight. The two alternate, so that the
   * pace of the machine is the same for both. `statuses`: how often the greedy ones were answered with which. `ahead`: how many of the greedy
   * ones were answered, other than refused, for each modest one that was asked meanwhile.
   */
  compare(
    modest: readonly (() => Asked)[],
    greedy: { atOnce: number; requests: (turn: number) => Asked; beforeTurn: () => Promise<unknown> },
  ): Promise<{ medians: Medians[]; statuses: Record<string, number>; ahead: number }>;
}

const turns = isNightly ? 5 : 1;
const callsPerTurn = 3;
/** How often `compare` asks for each modest call: at night once more before times are measured, as the first calls are slow. */
export const measuredCalls = (2 * turns + (isNightly ? 1 : 0)) * callsPerTurn;

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const createFlood = () => {
  const child = fork(program, { stdio: 'inherit' });
  const tell = async (order: object | 'stop'): Promise<unknown> => {
    const told = once(child, 'message');
    child.send(order);
    const [answer]: unknown[] = await told;
    return answer;
  };
  const end = async (): Promise<void> => {
    const gone = once(child, 'exit');
    child.disconnect();
    await gone;
  };
  return { start: tell, stop: async () => Object.entries((await tell('stop')) as Record<string, number>), end };
};

/** The portal in a process of its own, a client at its limits in another, and one who asks now and then in this one. */
export const openFairnessHarness = async (portal: TestPortal, environment: Record<string, string>): Promise<FairnessHarness> => {
  await using cleanUp = new AsyncDisposableStack();
  const { port } = cleanUp.use(await startPortalProcess(portal, { ...environment, WITHOUT_LIMITS: '1' }));
  const flood = createFlood();
  cleanUp.defer(flood.end);
  const agent = new Agent({ keepAlive: true });
  cleanUp.defer(() => agent.destroy());

  const ask: FairnessHarness['ask'] = ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const asked = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
        answer.on('error', reject);
        answer.resume().on('end', () => resolve({ ms: performance.now() - startedAt, status: answer.statusCode ?? 0 }));
      });
      asked.on('error', reject);
      asked.end(body, 'latin1');
    });

  /** Nothing of what was broken off is at work any more. */
  const waitForQuiet = async (): Promise<void> => {
    const countBusy = async (): Promise<number> => {
      const { rows } = await portal.pool.query<{ count: number }>(
        `select count(*) as count from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
      );
      return rows[0]?.count ?? 0;
    };
    while ((await countBusy()) > 0) await pause(20);
  };

  const measure = async (modest: readonly (() => Asked)[]): Promise<number[][]> => {
    const taken = modest.map((): number[] => []);
    for (let call = 0; call < callsPerTurn; call += 1)
      for (const [index, makeAsked] of modest.entries()) {
        const asked = makeAsked();
        const { ms, status } = await ask(asked);
        if (status >= 400) throw new Error(`${asked.path} was answered ${status}`);
        taken[index]?.push(ms);
      }
    return taken;
  };

  const kept = cleanUp.move();
  return {
    ask,
    async compare(modest, { atOnce, requests, beforeTurn }) {
      if (isNightly) await measure(modest);
      const idle = modest.map((): number[] => []);
      const busy = modest.map((): number[] => []);
      const statuses: Record<string, number> = {};
      for (let turn = 0; turn < turns; turn += 1) {
        await beforeTurn();
        for (const [index, taken] of (await measure(modest)).entries()) idle[index]?.push(...taken);
        await flood.start({ port, atOnce, requests: Array.from({ length: atOnce }, (_, nth) => requests(turn * atOnce + nth)) });
        for (const [index, taken] of (await measure(modest)).entries()) busy[index]?.push(...taken);
        for (const [status, count] of await flood.stop()) statuses[status] = (statuses[status] ?? 0) + count;
        await waitForQuiet();
      }
      const medians = modest.map((_, index) => ({ idleMs: median(idle[index] ?? []), busyMs: median(busy[index] ?? []) }));
      const answered = Object.entries(statuses).reduce((sum, [status, count]) => sum + (status === '429' ? 0 : count), 0);
      return { medians, statuses, ahead: answered / busy.flat().length };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
};
