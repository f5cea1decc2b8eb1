import { expect, test } from 'vitest';
import { createQueuePlaces } from './queue-places.ts';

test('a place is given up by who does not ask any more', () => {
  let now = 0;
  const places = createQueuePlaces(() => now);
  expect([places.placeOf('a', '1'), places.placeOf('a', '2')]).toEqual([0, 1]);
  now = 20_000;
  expect(places.placeOf('a', '2')).toBe(1);
  now = 40_000;
  expect(places.placeOf('a', '2')).toBe(0);
});

test('what is there takes no place of anybody', () => {
  const places = createQueuePlaces();
  for (const reader of ['a', 'b']) expect([places.placeOf(reader, '1'), places.placeOf(reader, '2')]).toEqual([0, 1]);
  places.forget('1');
  expect([places.placeOf('a', '2'), places.placeOf('b', '2')]).toEqual([0, 0]);
});

test('only so many readers are remembered, those who asked last', () => {
  const places = createQueuePlaces();
  places.placeOf('first', '1');
  for (let reader = 0; reader < 10_000; reader++) places.placeOf(String(reader), '1');
  expect(places.placeOf('first', '2')).toBe(0);
  expect(places.placeOf('9999', '2')).toBe(1);
});
