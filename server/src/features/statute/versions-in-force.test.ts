import { expect, test } from 'vitest';
import type { StatuteVersion } from './statute.store.ts';
import { createVersionsInForce, standingAt } from './versions-in-force.ts';

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));
const aVersion = (version: string, hour: number): StatuteVersion => ({
  id: version,
  version,
  effectiveFrom: at(hour),
  sha256: '',
  changes: null,
  pageCount: 1,
});
const newestFirst = [aVersion('2', 12), aVersion('1', 6)];

test.each([
  [5, undefined],
  [6, '1'],
  [11, '1'],
  [12, '2'],
  [23, '2'],
])('at %i o’clock the version in force is %s', (hour, version) => {
  expect(standingAt(newestFirst, at(hour)).inForce?.version).toBe(version);
});

test.each([
  [5, '1'],
  [6, '2'],
  [11, '2'],
  [12, undefined],
])('at %i o’clock the next version is %s, the nearest of those published ahead', (hour, version) => {
  expect(standingAt(newestFirst, at(hour)).upcoming?.version).toBe(version);
});

test('the later published of two versions that take effect at one moment is the next, and then in force', () => {
  const sameMoment = [aVersion('2b', 12), aVersion('2a', 12), aVersion('1', 6)];
  expect(standingAt(sameMoment, at(8)).upcoming?.version).toBe('2b');
  expect(standingAt(sameMoment, at(12)).inForce?.version).toBe('2b');
});

test('a known version comes into force at its moment, an unknown one is known five seconds later', async () => {
  let nowMs = at(11).getTime();
  const clock = { now: () => new Date(nowMs) };
  let versions = newestFirst;
  let asked = 0;
  const inForce = createVersionsInForce(async () => {
    asked += 1;
    return versions;
  }, clock);
  expect((await inForce.find()).inForce?.version).toBe('1');
  versions = [aVersion('3', 11), ...newestFirst];
  nowMs += 4_999;
  expect((await inForce.find()).inForce?.version).toBe('1');
  expect(asked).toBe(1);
  nowMs += 1;
  expect((await inForce.find()).inForce?.version).toBe('3');
  inForce.forget();
  await inForce.find();
  expect(asked).toBe(3);
});

test('a clock that was set back hides no new version', async () => {
  let nowMs = at(13).getTime();
  let versions = newestFirst;
  const inForce = createVersionsInForce(async () => versions, { now: () => new Date(nowMs) });
  expect((await inForce.find()).inForce?.version).toBe('2');
  versions = [aVersion('3', 11), aVersion('1', 6)];
  nowMs = at(12).getTime();
  expect((await inForce.find()).inForce?.version).toBe('3');
});
