import { expect, test } from 'vitest';
import { type Counter, giveBackTry, networkPolicies, policies, type Policy, takeTry, waitSeconds } from './throttle.rules.ts';

const start = new Date('2026-11-20T10:00:00Z');
const minutesLater = (minutes: number): Date => new Date(start.getTime() + minutes * 60_000);

const unused: Counter = { taken: 0, windowEndsAt: new Date(0), blocks: 0, blockedUntil: null, forgetAt: new Date(0) };

const takeMany = (counter: Counter, tries: number, at: Date, policy: Policy = policies.account): Counter => {
  let next = counter;
  for (let taken = 0; taken < tries; taken += 1) next = takeTry(next, policy, at);
  return next;
};

test('five wrong passwords in a row are verified, then the account is blocked for a quarter of an hour', () => {
  expect(waitSeconds(takeMany(unused, 4, start), start)).toBe(0);
  expect(waitSeconds(takeMany(unused, 5, start), start)).toBe(15 * 60);
});

test('a second block is longer than the first, and no block is longer than an hour', () => {
  let counter = unused;
  let now = start;
  const waits = [];
  for (let round = 0; round < 4; round += 1) {
    counter = takeMany(counter, 5, now);
    waits.push(waitSeconds(counter, now) / 60);
    now = new Date(now.getTime() + waitSeconds(counter, now) * 1_000);
  }
  expect(waits).toEqual([15, 30, 60, 60]);
});

test('wrong passwords are in a row however slowly they come, and forgotten after a day without any', () => {
  let counter = unused;
  for (let hour = 0; hour < 5; hour += 1) counter = takeTry(counter, policies.account, minutesLater(hour * 60));
  expect(waitSeconds(counter, minutesLater(240))).toBeGreaterThan(0);
  const quiet = takeTry(takeMany(unused, 4, start), policies.account, minutesLater(24 * 60));
  expect(quiet.taken).toBe(1);
});

test('what has not blocked is kept no longer than it is counted', () => {
  const busy = takeMany(unused, 49, start, networkPolicies.passwords.own);
  expect(busy.forgetAt).toEqual(busy.windowEndsAt);
  expect(takeMany(unused, 50, start, networkPolicies.passwords.own).forgetAt).toEqual(minutesLater(15 + 24 * 60));
});

test('a block is remembered for a day after it', () => {
  const blocked = takeMany(unused, 5, start);
  const nextDay = minutesLater(15 + 24 * 60);
  expect(waitSeconds(takeMany(blocked, 5, nextDay), nextDay)).toBe(15 * 60);
});

test('many people at one address are counted over a quarter of an hour, not for ever', () => {
  const busy = takeMany(unused, 49, start, networkPolicies.passwords.own);
  expect(waitSeconds(takeTry(busy, networkPolicies.passwords.own, minutesLater(14)), minutesLater(14))).toBeGreaterThan(0);
  expect(waitSeconds(takeTry(busy, networkPolicies.passwords.own, minutesLater(15)), minutesLater(15))).toBe(0);
});

test('a try that is given back was never made, and a block that it began has not begun', () => {
  const back = giveBackTry(takeMany(unused, 5, start), policies.account);
  expect(back).toMatchObject({ taken: 4, blocks: 0, blockedUntil: null });
  expect(waitSeconds(takeTry(back, policies.account, start), start)).toBe(15 * 60);
  expect(giveBackTry(unused, policies.account).taken).toBe(0);
});

test('after three links within an hour the next one waits for the end of that hour', () => {
  const asked = takeTry(takeMany(unused, 2, start, policies.passwordLinks), policies.passwordLinks, minutesLater(20));
  expect(waitSeconds(asked, minutesLater(20))).toBe(40 * 60);
});
