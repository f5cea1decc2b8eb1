import { expect, test } from 'vitest';
import type { StatuteVersion } from './statute.store.ts';
import { createVersionsInForce, versionInForce } from './versions-in-force.ts';

const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));
const aVersion = (version: string, hour: number): StatuteVersion => ({ id: version, version, effectiveFrom: at(hour), sha256: '' });
const newestFirst = [aVersion('2', 12), aVersion('1', 6)];

test.each([
  [5, undefined],
  [6, '1'],
  [11, '1'],
  [12, '2'],
  [23, '2'],
])('at %i o’clock the version in force is %s', (hour, version) => {
  expect(versionInForce(newestFirst, at(hour))?.version).toBe(version);
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
  expect((await inForce.find())?.version).toBe('1');
  versions = [aVersion('3', 11), ...newestFirst];
  nowMs += 4_999;
  expect((await inForce.find())?.version).toBe('1');
  expect(asked).toBe(1);
  nowMs += 1;
  expect((await inForce.find())?.version).toBe('3');
  inForce.forget();
  await inForce.find();
  expect(asked).toBe(3);
});

test('a clock that was set back hides no new version', async () => {
  let nowMs = at(13).getTime();
  let versions = newestFirst;
  const inForce = createVersionsInForce(async () => versions, { now: () => new Date(nowMs) });
  expect((await inForce.find())?.version).toBe('2');
  versions = [aVersion('3', 11), aVersion('1', 6)];
  nowMs = at(12).getTime();
  expect((await inForce.find())?.version).toBe('3');
});
