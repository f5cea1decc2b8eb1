import { clientState } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { findMisdirection, findPasswordKeeper, isTransition } from './accounts.rules.ts';

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

const company = { id: 'company', personalIds: /^2\d{7}$/u };
const partner = { id: 'partner', personalIds: /^\d{8}$/u };
const alone = { id: 'alone', personalIds: null };

test.each([
  { services: [], managed: false, personalId: '20000001', leadsTo: undefined },
  { services: [], managed: true, personalId: '20000001', leadsTo: 'pergamin' },
  { services: [company], managed: true, personalId: '20000001', leadsTo: undefined },
  { services: [company], managed: false, personalId: '20000001', leadsTo: 'company' },
  { services: [company], managed: true, personalId: '10000001', leadsTo: 'pergamin' },
  { services: [company], managed: false, personalId: '10000001', leadsTo: undefined },
  { services: [company, partner], managed: false, personalId: '10000001', leadsTo: 'partner' },
  { services: [company, partner], managed: true, personalId: 'anna', leadsTo: 'pergamin' },
  { services: [alone], managed: true, personalId: 'anna', leadsTo: undefined },
  { services: [alone], managed: false, personalId: 'anna', leadsTo: undefined },
])(
  'a client $personalId with managed $managed is led by $services.length services to a wrong one: $leadsTo',
  ({ services, leadsTo, ...client }) => {
    expect(findMisdirection(services, client)).toBe(leadsTo);
  },
);
