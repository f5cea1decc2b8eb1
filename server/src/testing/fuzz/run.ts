import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNightly } from '#testing/nightly.ts';
import type { PortalProcess } from '#testing/start-portal-process.ts';
import { type Answer, exchange } from './exchange.ts';
import { createJudge } from './judge.ts';
import { operationsOf } from './operations.ts';
import { type Plan, planRequests } from './plans.ts';
import { requestOf, type WireRequest } from './requests.ts';
import type { World } from './world.ts';

export interface FuzzReport {
  /** One line each: what is wrong, and the request that shows it. */
  readonly findings: readonly string[];
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Calls that no request of the run got through to. */
  readonly unreached: readonly string[];
  readonly operations: number;
  readonly slowestMs: number;
  /** Of another client’s call, in milliseconds: by itself, and while the requests of the run were answered. */
  readonly idleP95: number;
  readonly busyP95: number;
}

interface Sent {
  readonly plan: Plan;
  readonly request: WireRequest;
  readonly answer: Answer | Error;
}

/** Of JSON, as the server takes it. */
const largestBody = 256 * 1024;
const turnLength = 50;
/** How often another client asks: within the call limit, and by day less, as each time takes from the machine that other tests use, too. */
const [samplesOfTurn, pauseMs] = isNightly ? [12, 20] : [1, 100];

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const p95 = (samples: readonly number[]): number => samples.toSorted((a, b) => a - b)[Math.floor(samples.length * 0.95)] ?? Number.NaN;

const shown = ({ method, path, headers, body, isChunked }: WireRequest): string => {
  const secret = new Set(['authorization', 'cookie']);
  const kept = Object.entries(headers).map(([name, value]) => `${name}: ${secret.has(name) ? '…' : value.slice(0, 100)}`);
  const text = body === undefined ? '' : ` ${JSON.stringify(body.toString('latin1').slice(0, 400))}`;
  return `${method} ${path.slice(0, 400)} {${kept.join(', ')}}${isChunked ? ' (chunked)' : ''}${text}`;
};

/** Sends the requests of a seed one after the other to a portal in a process of its own, and judges every answer. */
export const runFuzz = async (
  { world, portal }: { world: World; portal: PortalProcess },
  { seed, count }: { seed: number; count: number },
): Promise<FuzzReport> => {
  const operations = operationsOf();
  const plans = planRequests(operations, { seed, count });
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const at = { port: portal.port, agent };
  /** Another client has connections of its own: those of hostile requests are closed early. */
  const otherAgent = new Agent({ keepAlive: true });
  const judge = createJudge();
  const findings: string[] = [];
  const statuses = new Map<number, number>();
  const reached = new Set<string>();
  const idle: number[] = [];
  const busy: number[] = [];
  let slowestMs = 0;

  const otherAsks: WireRequest = {
    method: 'POST',
    path: '/api/protected/documents/list/data',
    headers: {
      host: world.portal.settings.publicUrl.host,
      authorization: world.other.token,
      cookie: world.other.cookie,
      'content-type': 'application/json',
    },
    body: Buffer.from('{}'),
    isChunked: false,
  };
  /** Counts what this process does itself meanwhile: a time that was measured beside it says nothing of the portal. */
  let ownWork = 0;
  const sample = async (into: number[]): Promise<void> => {
    const before = ownWork;
    const answer = await exchange(otherAsks, { port: portal.port, agent: otherAgent }).catch(asError);
    if (answer instanceof Error) {
      findings.push(`another client was not answered: ${answer.message}`);
      return;
    }
    if (answer.status === 200 && ownWork === before) into.push(answer.ms);
    // 403: a request has just published terms that this client has not accepted yet.
    if (answer.status !== 200 && answer.status !== 403) findings.push(`another client was answered ${answer.status}`);
    await sleep(pauseMs);
  };

  const send = async (plan: Plan, made: WireRequest, index: number): Promise<Sent> => {
    const request = { ...made, headers: { ...world.headersOf(plan, index), ...made.headers } };
    const answer = await exchange(request, at).catch(asError);
    const learning = answer instanceof Error ? undefined : world.learnFrom(plan, answer);
    if (learning !== undefined) {
      ownWork += 1;
      await learning;
      ownWork += 1;
    }
    return { plan, request, answer };
  };

  const look = ({ plan: { operation }, request, answer }: Sent): void => {
    // Refused while it was being sent: with the connection the answer may be lost to this client. That it is 413 other tests show.
    if (answer instanceof Error && (request.body?.length ?? 0) > largestBody) return;
    const isAnswered = !(answer instanceof Error);
    const problem = isAnswered ? judge(operation, answer) : `no answer: ${answer.message}`;
    if (problem !== undefined) findings.push(`${operation.name}: ${problem}: ${shown(request)}`);
    if (!isAnswered) return;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status < 400) reached.add(operation.name);
    slowestMs = Math.max(slowestMs, answer.ms);
  };

  for (let begin = 0; begin < plans.length; begin += turnLength) {
    // Made before and judged afterwards, so that this process does nothing else while time is measured.
    const turn: [Plan, WireRequest][] = [];
    for (const plan of plans.slice(begin, begin + turnLength)) turn.push([plan, requestOf(plan, await world.exampleOf(plan))]);
    for (let one = 0; one < samplesOfTurn; one += 1) await sample(idle);
    const sent: Sent[] = [];
    const over = new AbortController();
    const others = (async () => {
      while (!over.signal.aborted) await sample(busy);
    })();
    for (const [index, [plan, made]] of turn.entries()) sent.push(await send(plan, made, begin + index));
    over.abort();
    await others;
    for (const one of sent) look(one);
  }
  agent.destroy();
  otherAgent.destroy();
  return {
    findings,
    statuses,
    unreached: operations.map(({ name }) => name).filter((name) => !reached.has(name)),
    operations: operations.length,
    slowestMs,
    idleP95: p95(idle),
    busyP95: p95(busy),
  };
};
