import { callLimits } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { createLog, silentLog } from '#platform/log/log.ts';
import { createCallLimits, type LimitedCall } from './call-limit.ts';
import { PortalError } from './errors.ts';

const isLetIn = (take: () => void): boolean => {
  try {
    take();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(PortalError);
    expect(error).toMatchObject({ code: 'CALL_NOT_PERMITTED', status: 429 });
    return false;
  }
};

const someLimits = (perMinute: number) => {
  let nowMs = 1_000_000;
  const lines: Record<string, unknown>[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const limits = createCallLimits({ clock: { now: () => new Date(nowMs) }, log });
  const call: LimitedCall = { name: 'asked', area: 'open', perMinute };
  return {
    limits,
    call,
    lines,
    ask: (address: string) => isLetIn(() => limits.takeFrom(call, address)),
    wait: (ms: number) => (nowMs += ms),
  };
};

test('a network may make its calls at once, then one whenever its time has come', () => {
  const { ask, wait } = someLimits(10);
  const tries = Array.from({ length: 12 }, (_, index) => ask(`2001:db8:1:2::${index + 1}`));
  expect(tries.filter(Boolean)).toHaveLength(10);
  expect(ask('2001:db8:1:3::1')).toBe(true);
  wait(6_000);
  expect([ask('2001:db8:1:2::1'), ask('2001:db8:1:2::1')]).toEqual([true, false]);
  wait(60_000);
  expect(Array.from({ length: 10 }, () => ask('2001:db8:1:2::1'))).toEqual(Array.from({ length: 10 }, () => true));
});

test('every limit lets exactly so many calls in at once', () => {
  const wrong = Array.from({ length: 50 }, (_, index) => index + 1).filter((perMinute) => {
    const { ask } = someLimits(perMinute);
    const letIn = Array.from({ length: perMinute + 1 }, () => ask('192.0.2.1')).filter(Boolean).length;
    return letIn !== perMinute;
  });
  expect(wrong).toEqual([]);
});

test('a place that changes from one of its IPv6 networks to the next may not go on for ever', () => {
  const { ask } = someLimits(2);
  const tries = Array.from({ length: 100 }, (_, index) => ask(`2001:db8:1:${index.toString(16)}::1`));
  expect(tries.filter(Boolean)).toHaveLength(32);
  expect(ask('2001:db8:2:1::1')).toBe(true);
});

test('a refusal says when to come again, and costs nothing', () => {
  const { limits, call, ask, wait } = someLimits(2);
  expect([ask('192.0.2.1'), ask('192.0.2.1'), ask('192.0.2.1')]).toEqual([true, true, false]);
  expect(() => limits.takeFrom(call, '192.0.2.1')).toThrow(expect.objectContaining({ retryAfterSeconds: 30 }));
  wait(30_000);
  expect(ask('192.0.2.1')).toBe(true);
});

test('of more networks than are remembered, the one that was silent longest is forgotten and begins anew; the others stay limited', () => {
  const { ask } = someLimits(1);
  const nth = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  for (let index = 0; index < 30_000; index += 1) ask(nth(index));
  expect(ask(nth(0))).toBe(false);
  for (let index = 30_000; index < 60_000; index += 1) expect(ask(nth(index))).toBe(true);
  expect([ask(nth(59_999)), ask(nth(1))]).toEqual([false, true]);
});

test('a client is counted alone, across all addresses and sessions', () => {
  const { limits } = someLimits(1);
  const call: LimitedCall = { name: 'own', area: 'protected' };
  const ask = (personalId: string, sessionId: string) => isLetIn(() => limits.takeOf(call, { personalId, sessionId }));
  for (let time = 0; time < callLimits.protected; time += 1) ask('10000001', `s${time % 3}`);
  expect([ask('10000001', 's1'), ask('10000001', 's9'), ask('10000002', 's4')]).toEqual([false, false, true]);
});

test('a key is counted alone, by the number that the setting gives', () => {
  const limits = createCallLimits({ clock: { now: () => new Date(0) }, log: silentLog(), publisherCallsPerMinute: 60 });
  const call: LimitedCall = { name: 'publishDocument', area: 'publisher' };
  const ask = (keyId: string) => isLetIn(() => limits.takeOfKey(call, { keyId }));
  for (let time = 0; time < 60; time += 1) expect(ask('night')).toBe(true);
  expect([ask('night'), ask('day')]).toEqual([false, true]);
  expect(() => limits.takeOfKey(call, { keyId: 'night' })).toThrow(
    expect.objectContaining({ code: 'CALL_NOT_PERMITTED', retryAfterSeconds: 1 }),
  );
});

test('an accountant with forty windows that poll every half a minute is far from the limit', () => {
  const { limits, wait } = someLimits(1);
  const call: LimitedCall = { name: 'listNotifications', area: 'protected' };
  for (let time = 0; time < 20; time += 1) {
    for (let calls = 0; calls < 40 * 10; calls += 1)
      expect(isLetIn(() => limits.takeOf(call, { personalId: '10000001', sessionId: 's' }))).toBe(true);
    wait(30_000);
  }
});

test('refusals fill one line of the log for a network and minute, which counts those before it', () => {
  const { ask, wait, lines } = someLimits(1);
  for (let time = 0; time < 500; time += 1) ask('192.0.2.1');
  ask('192.0.2.2');
  expect(lines).toMatchObject([{ call: 'asked', network: '192.0.2.1', times: 1 }]);
  wait(59_000);
  ask('192.0.2.1');
  expect(lines).toHaveLength(1);
  wait(1_000);
  ask('192.0.2.1');
  ask('192.0.2.1');
  expect(lines.slice(1)).toMatchObject([{ network: '192.0.2.1', times: 500 }]);
});

test('a client who is refused is named by the session, never by the personal id', () => {
  const { limits, lines } = someLimits(1);
  const call: LimitedCall = { name: 'own', area: 'protected', perMinute: 1 };
  for (let time = 0; time < 3; time += 1) isLetIn(() => limits.takeOf(call, { personalId: '10000001', sessionId: 'session-7' }));
  expect(lines).toMatchObject([{ call: 'own', sessionId: 'session-7', times: 1 }]);
  expect(JSON.stringify(lines)).not.toContain('10000001');
});
