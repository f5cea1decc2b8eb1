import { clientState } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { findPasswordKeeper, isTransition } from './accounts.rules.ts';

const states = clientState.options;
const known = new Set(['ACTIVE CLOSED', 'ACTIVE DISABLED', 'CLOSED DISABLED', 'CLOSED ACTIVE', 'DISABLED ACTIVE']);

test.each(states.flatMap((from) => states.map((to) => ({ from, to }))))(
  'a client who is $from becomes $to only where the table of transitions has it',
  ({ from, to }) => {
    expect(isTransition(from, to)).toBe(known.has(`${from} ${to}`));
  },
);

test('the password of a managed client is kept by the service whose ids fit', () => {
  const [first, second] = [{ personalIds: /^2\d{7}$/u }, { personalIds: /^3\d{7}$/u }];
  expect(findPasswordKeeper([first, second], '30000001')).toBe(second);
  expect(findPasswordKeeper([first, second], '40000001')).toBeUndefined();
});

test('a service that names no ids is the only one there is', () => {
  const only = { personalIds: null };
  expect(findPasswordKeeper([only], '30000001')).toBe(only);
  expect(findPasswordKeeper([], '30000001')).toBeUndefined();
});
