import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { calls } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { route } from '#platform/http/route.ts';
import { isNightly } from '#testing/nightly.ts';
import { signInThroughIdentity } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';

/**
 * 105: checking passwords is meant to be dear, and runs beside everything else. With the cost of production; the browsers run in this process
 * too, which makes it harder. At night only: times on the clock mean little beside other tests.
 */
const people = 40;
const maxMs = 50;

let portal: SignInPortal;
beforeAll(async () => {
  if (!isNightly) return;
  const file = fileURLToPath(import.meta.url);
  const image = route(calls.getPageImage, async () => ({ body: await readFile(file), contentType: 'image/png' }));
  portal = await startSignInPortal({ routes: [image], passwordCost: { memoryKiB: 19_456, passes: 2 } });
  for (let index = 0; index <= people; index += 1) await portal.addPerson(`p${index}`);
}, 60_000);
afterAll(() => portal?.[Symbol.asyncDispose]());

const signIn = (index: number) => signInThroughIdentity(portal.server, { personalId: `p${index}`, password, host: portal.host });

const median = (values: readonly number[]): number => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? NaN;

/** How long reading a file through the portal takes while something goes on, and how late timers are (99 of 100). */
const measureDuring = async (work: () => Promise<unknown>) => {
  const { token, cookie } = await signIn(people);
  const headers = { host: portal.host, authorization: token, cookie };
  const url = '/api/protected/documents/render/page/11111111-1111-4111-8111-111111111111/1';
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const begunAt = performance.now();
  const over = new AbortController();
  const [cpuBefore, loopBefore] = [process.threadCpuUsage(), performance.eventLoopUtilization()];
  delay.enable();
  const working = work().finally(() => over.abort());
  const readMs: number[] = [];
  while (!over.signal.aborted) {
    const begun = performance.now();
    expect((await portal.server.inject({ url, headers })).statusCode).toBe(200);
    readMs.push(performance.now() - begun);
  }
  await working;
  delay.disable();
  const { user, system } = process.threadCpuUsage(cpuBefore);
  const activeMs = performance.eventLoopUtilization(loopBefore).active;
  return {
    reads: readMs.length,
    tookMs: performance.now() - begunAt,
    medianReadMs: median(readMs),
    lateMs: delay.percentile(99) / 1e6,
    // Wall time by CPU time of this thread: 1 on an idle machine, more when others use the processor.
    stretch: Math.max(1, activeMs / ((user + system) / 1_000)),
  };
};

test.runIf(isNightly)('105: forty concurrent sign-ins delay neither files nor timers of other callers', { timeout: 60_000 }, async () => {
  await signIn(0);
  const { reads, tookMs, medianReadMs, lateMs, stretch } = await measureDuring(() =>
    Promise.all(Array.from({ length: people }, (_, index) => signIn(index))),
  );
  const [took, median, late, slower] = [tookMs, medianReadMs, lateMs, stretch].map((value) => value.toFixed(1));
  process.stdout.write(
    `forty sign-ins at once in ${took} ms: ${reads} files read, median ${median} ms; timers late ${late} ms (p99); stretch ${slower}\n`,
  );
  expect(reads).toBeGreaterThan(10);
  expect(medianReadMs).toBeLessThanOrEqual(maxMs * stretch);
  expect(lateMs).toBeLessThanOrEqual(maxMs * stretch);
});
